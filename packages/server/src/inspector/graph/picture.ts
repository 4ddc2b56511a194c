/** A scene as a file to share: SVG, or PNG by way of a canvas. Without texts nothing of what was said is in it. */
import { shorten, withoutSpeaker } from "../words.js";
import { arrowBetween, bendsOf } from "./arrows.js";
import { fittingCamera } from "./graph-canvas.js";
import { paint } from "./painter.js";
import { type Palette, type Scene, isFaint, isSeen, radiusOf } from "./scene.js";

const pictureWidth = 1_600;
const pictureHeight = 1_000;
const edgeCountMax = 20_000;

export async function toPng(scene: Scene, palette: Palette, hasTexts: boolean): Promise<Blob> {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [pictureWidth, pictureHeight];
  const camera = fittingCamera(scene, pictureWidth, pictureHeight);
  const size = { width: pictureWidth, height: pictureHeight };
  paint(canvas.getContext("2d")!, { scene, palette, camera, ...size, isMoving: false, hovered: -1, hasTexts });
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("The picture could not be made.")) : resolve(blob)));
  });
}

export function toSvg(scene: Scene, palette: Palette, hasTexts: boolean): string {
  const { positions, model } = scene;
  const { x, y, scale } = fittingCamera(scene, pictureWidth, pictureHeight);
  const toX = (place: number): string => ((place - x) * scale + pictureWidth / 2).toFixed(1);
  const toY = (place: number): string => ((place - y) * scale + pictureHeight / 2).toFixed(1);
  const px = (i: number): string => toX(positions[2 * i]!);
  const py = (i: number): string => toY(positions[2 * i + 1]!);
  const line = (a: number, b: number, looks: string): string =>
    `<line x1="${px(a)}" y1="${py(a)}" x2="${px(b)}" y2="${py(b)}" ${looks}/>`;
  const edges = model.edges
    .slice(0, edgeCountMax)
    .filter(({ a, b }) => isSeen(scene, a) && isSeen(scene, b))
    .map(({ a, b, weight, isPair }) => {
      const colour = isFaint(scene, a) || isFaint(scene, b) ? palette.faint : isPair ? palette.pair : palette.edge;
      return line(a, b, `stroke="${colour}" stroke-width="${isPair ? 3 : (2 * weight).toFixed(1)}" opacity="0.7"`);
    });
  const bends = bendsOf(model, positions);
  const arrows = model.replacements.flatMap(({ old, by }, i) => {
    const arrow = isSeen(scene, old) && isSeen(scene, by) ? arrowBetween(model, positions, old, by, bends[i]!) : null;
    if (arrow === null) return [];
    const curve = `M${toX(arrow.x)} ${toY(arrow.y)}Q${toX(arrow.controlX)} ${toY(arrow.controlY)} ${toX(arrow.tipX)} ${toY(arrow.tipY)}`;
    return [`<path d="${curve}" fill="none" stroke="${palette.accent}" stroke-width="2" marker-end="url(#tip)"/>`];
  });
  const walk = scene.walked.map(({ from, to, isTaken }) =>
    line(from, to, `stroke="${palette.accent}" stroke-width="4"${isTaken ? "" : ' stroke-dasharray="8 7"'}`),
  );
  const discs = model.memories.flatMap((memory, i) => {
    if (!isSeen(scene, i)) return [];
    const colour = isFaint(scene, i) ? palette.faint : palette.ages[scene.ages[i]!]!;
    const isHollow = scene.outdated[i] === 1;
    const looks = isHollow ? `fill="${palette.background}" stroke="${colour}" stroke-width="2.5"` : `fill="${colour}"`;
    const ring = scene.marks.has(i) ? ` stroke="${palette.accent}" stroke-width="4"` : "";
    const title = hasTexts ? `<title>${escape(memory.summary)}</title>` : "";
    const radius = (radiusOf(model.degrees[i]!) * scale).toFixed(1);
    return [`<circle cx="${px(i)}" cy="${py(i)}" r="${radius}" ${looks}${isHollow ? "" : ring}>${title}</circle>`];
  });
  const labels = hasTexts
    ? [...scene.marks.keys()].map(
        (i) =>
          `<text x="${px(i)}" y="${py(i)}" dx="16" dy="5" fill="${palette.ink}">${escape(shorten(withoutSpeaker(model.memories[i]!.summary), 50))}</text>`,
      )
    : [];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${pictureWidth} ${pictureHeight}" font-family="system-ui, sans-serif" font-size="16">`,
    `<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto"><path d="M0 0 8 4 0 8z" fill="${palette.accent}"/></marker></defs>`,
    `<rect width="100%" height="100%" fill="${palette.background}"/>`,
    ...edges,
    ...arrows,
    ...walk,
    ...discs,
    ...labels,
    "</svg>\n",
  ].join("\n");
}

function escape(text: string): string {
  return shorten(text, 400)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
