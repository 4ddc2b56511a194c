/** Curves over days, with moments marked. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { palettes } from "../graph/scene.js";
import { theme } from "../theme.js";

export interface CurveLine {
  readonly label: string;
  readonly values: readonly number[];
  readonly isDashed?: boolean;
}

export interface CurveProps {
  /** Says in words what the curve shows. */
  readonly label: string;
  readonly xLabel: string;
  readonly x: readonly number[];
  readonly lines: readonly CurveLine[];
  readonly marks?: readonly { readonly x: number; readonly label: string }[];
  readonly yMax?: number;
}

const height = 170;

export function Curve({ label, xLabel, x, lines, marks = [], yMax = 1 }: CurveProps) {
  const place = useRef<HTMLDivElement>(null);
  const colours = palettes[theme.value];
  useEffect(() => {
    const holder = place.current!;
    const strokes = [colours.accent, colours.ages[0]!, colours.pair];
    const axis = { stroke: colours.ink, grid: { stroke: colours.faint, width: 1 }, ticks: { stroke: colours.faint } };
    const plot = new uPlot(
      {
        width: Math.max(200, holder.clientWidth),
        height,
        cursor: { show: false },
        legend: { show: false },
        scales: { x: { time: false }, y: { range: [0, yMax] } },
        axes: [
          { ...axis, label: xLabel, labelSize: 18, size: 30, font: "11px system-ui", labelFont: "11px system-ui" },
          { ...axis, size: 40, font: "11px system-ui" },
        ],
        series: [
          {},
          ...lines.map(({ label: name, isDashed }, i) => ({
            label: name,
            stroke: strokes[i % strokes.length]!,
            width: 2,
            ...(isDashed === true ? { dash: [5, 5] } : {}),
          })),
        ],
        hooks: { draw: [(drawn) => drawMarks(drawn, marks, colours.ink)] },
      },
      [x, ...lines.map(({ values }) => values)] as unknown as uPlot.AlignedData,
      holder,
    );
    const resizing = new ResizeObserver(() => plot.setSize({ width: Math.max(200, holder.clientWidth), height }));
    resizing.observe(holder);
    return () => {
      resizing.disconnect();
      plot.destroy();
    };
  }, [x, lines, marks, colours, yMax, xLabel]);
  return (
    <figure class="curve">
      <div ref={place} role="img" aria-label={label} />
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

function drawMarks(plot: uPlot, marks: NonNullable<CurveProps["marks"]>, colour: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = ctx.strokeStyle = colour;
  ctx.font = `${11 * devicePixelRatio}px system-ui`;
  ctx.lineWidth = devicePixelRatio;
  for (const { x, label } of marks) {
    const left = plot.valToPos(x, "x", true);
    if (left < bbox.left || left > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(left, bbox.top);
    ctx.lineTo(left, bbox.top + bbox.height);
    ctx.stroke();
    const isLate = left > bbox.left + 0.8 * bbox.width;
    ctx.textAlign = isLate ? "right" : "left";
    ctx.fillText(label, left + (isLate ? -5 : 5) * devicePixelRatio, bbox.top + 12 * devicePixelRatio);
  }
  ctx.restore();
}
