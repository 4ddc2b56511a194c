/** Curves over days, of values from 0 to 1, with one moment marked. */

export interface CurveLine {
  readonly label: string;
  readonly values: readonly number[];
}

export interface CurveProps {
  /** Says in words what the curve shows. */
  readonly label: string;
  readonly xLabel: string;
  readonly xMax: number;
  readonly lines: readonly CurveLine[];
  readonly mark: { readonly x: number; readonly label: string };
}

/** In units of the picture, which is as wide as there is room. */
const [width, height] = [340, 150];
const [left, right, top, bottom] = [28, width - 8, 10, height - 34];

/** Values are evenly spaced from 0 to `xMax`. */
export function Curve({ label, xLabel, xMax, lines, mark }: CurveProps) {
  const toX = (x: number): number => left + (x / xMax) * (right - left);
  const toY = (y: number): number => bottom - y * (bottom - top);
  const pathOf = (values: readonly number[]): string =>
    values.map((y, i) => `${toX((i * xMax) / (values.length - 1)).toFixed(1)},${toY(y).toFixed(1)}`).join(" ");
  const markX = toX(mark.x);
  const isLate = mark.x > 0.8 * xMax;
  return (
    <figure class="curve">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {[0, 0.5, 1].map((y) => (
          <g key={y}>
            <line class="curve-grid" x1={left} x2={right} y1={toY(y)} y2={toY(y)} />
            <text x={left - 5} y={toY(y) + 4} text-anchor="end">
              {y}
            </text>
          </g>
        ))}
        {ticksTo(xMax).map((x) => (
          <text key={x} x={toX(x)} y={bottom + 14} text-anchor="middle">
            {x}
          </text>
        ))}
        <text x={(left + right) / 2} y={height - 4} text-anchor="middle">
          {xLabel}
        </text>
        {lines.map(({ label: name, values }, i) => (
          <polyline key={name} class={`curve-line curve-line-${i}`} points={pathOf(values)} />
        ))}
        <line class="curve-mark" x1={markX} x2={markX} y1={top} y2={bottom} />
        <text class="curve-mark" x={markX + (isLate ? -5 : 5)} y={top + 9} text-anchor={isLate ? "end" : "start"}>
          {mark.label}
        </text>
      </svg>
      <figcaption>
        {lines.map(({ label: name }, i) => (
          <span key={name} class={`curve-key curve-key-${i}`}>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** Round numbers, at most six. */
function ticksTo(max: number): number[] {
  const rough = max / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough)!;
  return Array.from({ length: Math.floor(max / step) + 1 }, (_, i) => i * step);
}
