/**
 * Paints a scene on a canvas. Everything of one look is one path, because a canvas is slow at changing looks and fast at
 * long paths. Edges are the slow part: they are a layer of their own, which is moved as a picture while the camera moves and
 * painted again when it rests; far away, only the strongest are in it.
 */
import { directionOf, shorten, withoutSpeaker } from "../words.js";
import { type Arrow, arrowBetween } from "./arrows.js";
import { type Box, placeLabel } from "./labels.js";
import { type Palette, type Scene, type WalkedEdge, ageSteps, isFaint, isSeen, radiusOf } from "./scene.js";

export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const edgeCountMax = 24_000;
const edgeCountMaxMoving = 6_000;
/** So many are drawn in their full colour; more are paler. */
const plainEdgeCount = 4_000;
/** Characters; the narrower the picture, the fewer. */
const labelLengthMax = 42;
const labelLengthMin = 22;
const labelWidthShare = 15;
/** More than so many memories in sight are not spared by labels. */
const spareCountMax = 1_500;
const labelCountMax = 24;
const fullCircle = 2 * Math.PI;
/** In pixels of the screen. */
const chosenRing = { gap: 5, width: 2.5 };
const hoveredRing = { gap: 3, width: 1.5 };
const plateMargin = 4;

export interface Painting {
  readonly scene: Scene;
  readonly palette: Palette;
  readonly camera: Camera;
  readonly width: number;
  readonly height: number;
  readonly isMoving: boolean;
  readonly hovered: number;
}

/** Edges as they were painted for a camera. */
export interface EdgeLayer {
  readonly image: HTMLCanvasElement;
  readonly camera: Camera;
}

export function paint(context: CanvasRenderingContext2D, painting: Painting, layer: EdgeLayer): void {
  const { palette, width, height, scene } = painting;
  context.fillStyle = palette.background;
  context.fillRect(0, 0, width, height);
  paintLayer(context, painting, layer);
  context.save();
  aim(context, painting);
  paintReplacements(context, painting);
  paintNodes(context, painting);
  for (const edge of scene.walked) paintWalked(context, painting, edge);
  paintMarks(context, painting);
  context.restore();
  paintLabels(context, painting);
}

/** The edges alone, on a canvas that is clear; its scale is that of the screen's pixels. */
export function paintEdgeLayer(context: CanvasRenderingContext2D, painting: Painting): void {
  context.clearRect(0, 0, painting.width, painting.height);
  context.save();
  aim(context, painting);
  paintEdges(context, painting);
  context.restore();
}

function aim(context: CanvasRenderingContext2D, { camera, width, height }: Painting): void {
  context.translate(width / 2, height / 2);
  context.scale(camera.scale, camera.scale);
  context.translate(-camera.x, -camera.y);
}

/** Where the layer's camera saw it, as the present one does. */
function paintLayer(context: CanvasRenderingContext2D, { camera, width, height }: Painting, layer: EdgeLayer): void {
  const { image, camera: then } = layer;
  const ratio = camera.scale / then.scale;
  const [x, y] = [(then.x - camera.x) * camera.scale, (then.y - camera.y) * camera.scale];
  const [left, top] = [width / 2 + x - (ratio * width) / 2, height / 2 + y - (ratio * height) / 2];
  context.drawImage(image, left, top, ratio * width, ratio * height);
}

/** Three looks: faint, plain and pairs; the width says how strong. */
function paintEdges(context: CanvasRenderingContext2D, painting: Painting): void {
  const { scene, palette, camera, isMoving } = painting;
  const { model, positions } = scene;
  const limit = isMoving ? edgeCountMaxMoving : edgeCountMax;
  const levels = [new Path2D(), new Path2D(), new Path2D()];
  const [pairs, faint] = [new Path2D(), new Path2D()];
  const inside = insideOf(painting);
  let drawn = 0;
  for (const edge of model.edges) {
    if (drawn >= limit) break;
    const { a, b, weight, isPair } = edge;
    if (!isSeen(scene, a) || !isSeen(scene, b) || !(inside(a) || inside(b))) continue;
    drawn += 1;
    const isAside = isFaint(scene, a) || isFaint(scene, b);
    const path = isAside ? faint : isPair ? pairs : levels[weight > 0.75 ? 2 : weight > 0.6 ? 1 : 0]!;
    path.moveTo(positions[2 * a]!, positions[2 * a + 1]!);
    path.lineTo(positions[2 * b]!, positions[2 * b + 1]!);
  }
  const thin = Math.min(1, 0.7 / camera.scale);
  // Many together would be a grey ground on which nothing is seen.
  const share = isMoving ? 1 : Math.min(1, Math.sqrt(plainEdgeCount / Math.max(1, drawn)));
  context.strokeStyle = palette.faint;
  context.lineWidth = thin;
  context.stroke(faint);
  context.strokeStyle = palette.edge;
  for (const [level, path] of levels.entries()) {
    context.globalAlpha = [0.55, 0.7, 0.9][level]! * share;
    context.lineWidth = thin * (1 + level * 0.8);
    context.stroke(path);
  }
  context.globalAlpha = 1;
  context.strokeStyle = palette.pair;
  context.lineWidth = Math.max(2.2, 2 / camera.scale);
  context.stroke(pairs);
}

function paintReplacements(context: CanvasRenderingContext2D, painting: Painting): void {
  const { scene, palette, camera } = painting;
  const inside = insideOf(painting);
  const [lines, tips] = [new Path2D(), new Path2D()];
  for (const { old, by } of scene.model.replacements) {
    if (!isSeen(scene, old) || !isSeen(scene, by) || !(inside(old) || inside(by))) continue;
    addArrow(lines, tips, arrowBetween(scene.model, scene.positions, old, by));
  }
  // Far away there are many, and what they point at is small.
  context.globalAlpha = Math.min(1, Math.max(0.25, 1.6 * camera.scale));
  context.strokeStyle = context.fillStyle = palette.accent;
  context.lineWidth = Math.max(1.4, 1 / camera.scale);
  context.stroke(lines);
  context.fill(tips);
  context.globalAlpha = 1;
}

function addArrow(lines: Path2D, tips: Path2D, arrow: Arrow | null): void {
  if (arrow === null) return;
  const { x, y, controlX, controlY, tipX, tipY, ux, uy } = arrow;
  lines.moveTo(x, y);
  lines.quadraticCurveTo(controlX, controlY, tipX, tipY);
  tips.moveTo(tipX, tipY);
  tips.lineTo(tipX - ux * 7 - uy * 3.5, tipY - uy * 7 + ux * 3.5);
  tips.lineTo(tipX - ux * 7 + uy * 3.5, tipY - uy * 7 - ux * 3.5);
}

/** One path for each age, filled for what holds, hollow for what is outdated. */
function paintNodes(context: CanvasRenderingContext2D, painting: Painting): void {
  const { scene, palette, camera } = painting;
  const { positions, ages, outdated, model } = scene;
  const filled = Array.from({ length: ageSteps }, () => new Path2D());
  const hollow = Array.from({ length: ageSteps }, () => new Path2D());
  const [faint, faintHollow] = [new Path2D(), new Path2D()];
  const inside = insideOf(painting);
  for (let i = 0; i < ages.length; i++) {
    if (!isSeen(scene, i) || !inside(i)) continue;
    const isOld = outdated[i] === 1;
    const age = ages[i]!;
    const path = isFaint(scene, i) ? (isOld ? faintHollow : faint) : (isOld ? hollow : filled)[age]!;
    addDisc(path, positions[2 * i]!, positions[2 * i + 1]!, radiusOf(model.degrees[i]!), camera.scale);
  }
  context.lineWidth = Math.max(2, 1.4 / camera.scale);
  context.fillStyle = context.strokeStyle = palette.faint;
  context.fill(faint);
  context.stroke(faintHollow);
  for (let age = ageSteps - 1; age >= 0; age--) {
    context.fillStyle = palette.ages[age]!;
    context.fill(filled[age]!);
    context.fillStyle = palette.background;
    context.fill(hollow[age]!);
    context.strokeStyle = palette.ages[age]!;
    context.stroke(hollow[age]!);
  }
}

/** Of what is only a dot, nobody sees whether it is round. */
function addDisc(path: Path2D, x: number, y: number, radius: number, scale: number): void {
  if (radius * scale < 1.6) {
    path.rect(x - radius, y - radius, 2 * radius, 2 * radius);
    return;
  }
  path.moveTo(x + radius, y);
  path.arc(x, y, radius, 0, fullCircle);
}

function paintWalked(context: CanvasRenderingContext2D, { scene, palette, camera }: Painting, edge: WalkedEdge): void {
  const width = (edge.isCurrent ? 4 : 2) / Math.max(0.4, camera.scale);
  context.strokeStyle = context.fillStyle = edge.isTaken ? palette.accent : palette.edge;
  context.lineWidth = width;
  const [line, tip] = [new Path2D(), new Path2D()];
  addArrow(line, tip, arrowBetween(scene.model, scene.positions, edge.from, edge.to, 0));
  context.setLineDash(edge.isTaken ? [] : [6, 5]);
  context.stroke(line);
  context.setLineDash([]);
  context.fill(tip);
}

function paintMarks(context: CanvasRenderingContext2D, { scene, palette, camera, hovered }: Painting): void {
  const ring = (i: number, colour: string, gap: number, width: number): void => {
    if (i < 0 || !isSeen(scene, i)) return;
    const radius = radiusOf(scene.model.degrees[i]!) + gap / camera.scale;
    context.beginPath();
    context.arc(scene.positions[2 * i]!, scene.positions[2 * i + 1]!, radius, 0, fullCircle);
    context.strokeStyle = colour;
    context.lineWidth = width / camera.scale;
    context.stroke();
  };
  for (const [i, { kind }] of scene.marks) ring(i, palette.accent, 3, kind === "start" ? 3 : 1.5);
  ring(hovered, palette.ink, hoveredRing.gap, hoveredRing.width);
  ring(scene.selected, palette.ink, chosenRing.gap, chosenRing.width);
}

/** Of what is chosen or recalled; of everything, where little is in sight. */
function paintLabels(context: CanvasRenderingContext2D, painting: Painting): void {
  const { scene, palette, width, hovered } = painting;
  context.font = "12px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.lineJoin = "round";
  const lengthMax = Math.round(Math.min(labelLengthMax, Math.max(labelLengthMin, width / labelWidthShare)));
  const named = namedOf(painting);
  const discs = new Map(named.map((i) => [i, discOf(painting, i)]));
  const others = othersInSight(painting, discs);
  const labels: Box[] = [];
  for (const i of named) {
    const text = shorten(withoutSpeaker(scene.model.memories[i]!.summary), lengthMax);
    const isForced = i === scene.selected || i === hovered;
    const taken = [...labels, ...[...discs].flatMap(([other, disc]) => (other === i ? [] : [disc]))];
    const wish = { disc: discs.get(i)!, textWidth: context.measureText(text).width, isForced };
    const box = placeLabel(wish, { width, taken, others });
    if (box === null) continue;
    labels.push(box);
    if (isForced) paintPlate(context, palette, box);
    const y = (box.top + box.bottom) / 2;
    context.direction = directionOf(text);
    context.strokeStyle = palette.background;
    context.lineWidth = 4;
    context.strokeText(text, box.left, y);
    context.fillStyle = palette.ink;
    context.fillText(text, box.left, y);
  }
}

/** What was asked for is read on any ground. */
function paintPlate(context: CanvasRenderingContext2D, palette: Palette, { left, right, top, bottom }: Box): void {
  context.globalAlpha = 0.9;
  context.fillStyle = palette.background;
  context.beginPath();
  context.roundRect(left - plateMargin, top - 1, right - left + 2 * plateMargin, bottom - top + 2, 4);
  context.fill();
  context.globalAlpha = 1;
}

/** Memories without a label; none where there are so many that every place hides some. */
function othersInSight(painting: Painting, named: ReadonlyMap<number, Box>): Box[] {
  const inside = insideOf(painting);
  const others: Box[] = [];
  for (let i = 0; i < painting.scene.ages.length; i++) {
    if (named.has(i) || !isSeen(painting.scene, i) || !inside(i)) continue;
    if (others.length === spareCountMax) return [];
    others.push(discOf(painting, i));
  }
  return others;
}

function namedOf(painting: Painting): number[] {
  const { scene, camera, hovered } = painting;
  const inside = insideOf(painting);
  const named = new Set([scene.selected, hovered, ...scene.marks.keys()].filter((i) => i >= 0 && isSeen(scene, i)));
  if (camera.scale > 1.6 || scene.ages.length <= labelCountMax) {
    for (let i = 0; i < scene.ages.length && named.size < labelCountMax; i++) {
      if (inside(i) && isSeen(scene, i) && !isFaint(scene, i)) named.add(i);
    }
  }
  return [...named].slice(0, labelCountMax);
}

/** With the ring around it, so that the plate of its label leaves the ring whole. */
function discOf({ scene, camera, width, height, hovered }: Painting, i: number): Box {
  const x = (scene.positions[2 * i]! - camera.x) * camera.scale + width / 2;
  const y = (scene.positions[2 * i + 1]! - camera.y) * camera.scale + height / 2;
  const ring = i === scene.selected ? chosenRing : i === hovered ? hoveredRing : null;
  const rim = ring === null ? 4 : ring.gap + ring.width / 2 + 2;
  const radius = radiusOf(scene.model.degrees[i]!) * camera.scale + rim;
  return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius };
}

function insideOf({ scene: { positions }, camera, width, height }: Painting): (i: number) => boolean {
  const [reachX, reachY] = [width / 2 / camera.scale + 20, height / 2 / camera.scale + 20];
  return (i) =>
    Math.abs(positions[2 * i]! - camera.x) <= reachX && Math.abs(positions[2 * i + 1]! - camera.y) <= reachY;
}
