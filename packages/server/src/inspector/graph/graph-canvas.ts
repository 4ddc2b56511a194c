/**
 * The canvas with the graph on it: a camera that mouse, touch and keys move, and what is under the pointer. It paints when
 * something changed, once per frame.
 */
import { type Camera, type EdgeLayer, type Painting, paint, paintEdgeLayer } from "./painter.js";
import { type Palette, type Scene, isSeen, radiusOf } from "./scene.js";

const scaleMin = 0.02;
const scaleMax = 8;
/** So long after the last movement everything is drawn. */
const restMs = 140;
const reachPixels = 8;
/** Of the buttons at the top, under which nothing is put. */
const toolsHeight = 44;
/** So much larger or smaller, a layer of edges is painted again while it moves. */
const layerRatioMax = 3;

export interface CanvasEvents {
  /** Clicked, or Enter on the one that was gone to; -1 for none. */
  readonly onSelect: (i: number) => void;
  /** Gone to with an arrow key; -1 for none. */
  readonly onStep: (i: number) => void;
}

export class GraphCanvas {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #events: CanvasEvents;
  readonly #aborting = new AbortController();
  readonly #edgeContext = document.createElement("canvas").getContext("2d")!;
  readonly #pointers = new Map<number, { x: number; y: number }>();
  #scene: Scene | null = null;
  #palette: Palette | null = null;
  #camera: Camera = { x: 0, y: 0, scale: 1 };
  #painted: Painting | null = null;
  /** Until somebody moves it, the camera follows the graph. */
  #isFollowing = true;
  #frame = 0;
  #movedMs = 0;
  #restTimer = 0;
  #hovered = -1;
  #pressed: { x: number; y: number } | null = null;

  constructor(canvas: HTMLCanvasElement, events: CanvasEvents) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d")!;
    this.#events = events;
    const { signal } = this.#aborting;
    canvas.addEventListener("pointerdown", (event) => this.#press(event), { signal });
    canvas.addEventListener("pointermove", (event) => this.#drag(event), { signal });
    for (const name of ["pointerup", "pointercancel"] as const) {
      canvas.addEventListener(name, (event) => this.#release(event), { signal });
    }
    canvas.addEventListener("pointerleave", () => this.#hover(-1), { signal });
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
    canvas.addEventListener("keydown", (event) => this.#keyDown(event), { signal });
    const resizing = new ResizeObserver(() => this.#changed());
    resizing.observe(canvas);
    signal.addEventListener("abort", () => resizing.disconnect());
  }

  close(): void {
    this.#aborting.abort();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#restTimer);
  }

  show(scene: Scene, palette: Palette): void {
    this.#scene = scene;
    this.#palette = palette;
    this.#changed();
  }

  fit(): void {
    this.#isFollowing = true;
    this.#changed();
  }

  zoom(factor: number, x = this.#width / 2, y = this.#height / 2): void {
    const before = this.#toGraph(x, y);
    const scale = Math.min(scaleMax, Math.max(scaleMin, this.#camera.scale * factor));
    this.#camera = { ...this.#camera, scale };
    const after = this.#toGraph(x, y);
    this.#moveTo(this.#camera.x + before.x - after.x, this.#camera.y + before.y - after.y);
  }

  /** Brings a memory into sight. */
  reveal(i: number): void {
    if (this.#scene === null || i < 0) return;
    const { x, y } = this.#positionOf(i);
    const [reachX, reachY] = [(0.42 * this.#width) / this.#camera.scale, (0.42 * this.#height) / this.#camera.scale];
    if (Math.abs(x - this.#camera.x) > reachX || Math.abs(y - this.#camera.y) > reachY) this.#moveTo(x, y);
  }

  get #width(): number {
    return this.#canvas.clientWidth;
  }

  get #height(): number {
    return this.#canvas.clientHeight;
  }

  /** The tools lie over the canvas, or, on a narrow screen, above it. */
  get #coveredHeight(): number {
    return this.#canvas.offsetTop > 0 ? 0 : toolsHeight;
  }

  #changed(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#paint());
  }

  #moveTo(x: number, y: number): void {
    this.#camera = { ...this.#camera, x, y };
    this.#isFollowing = false;
    this.#movedMs = performance.now();
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => this.#changed(), restMs + 10) as unknown as number;
    this.#changed();
  }

  #paint(): void {
    this.#frame = 0;
    const [scene, palette] = [this.#scene, this.#palette];
    if (scene === null || palette === null || this.#width === 0) return;
    const ratio = Math.min(2, devicePixelRatio);
    const [width, height] = [Math.round(this.#width * ratio), Math.round(this.#height * ratio)];
    if (this.#canvas.width !== width || this.#canvas.height !== height) {
      this.#canvas.width = width;
      this.#canvas.height = height;
    }
    if (this.#isFollowing) this.#camera = fittingCamera(scene, this.#width, this.#height, this.#coveredHeight);
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const painting = {
      scene,
      palette,
      camera: this.#camera,
      width: this.#width,
      height: this.#height,
      isMoving: performance.now() - this.#movedMs < restMs,
      hovered: this.#hovered,
    };
    paint(this.#context, painting, this.#edgeLayer(painting, ratio));
    if (performance.getEntriesByName("first-graph").length === 0) performance.mark("first-graph");
  }

  /** The edges as they were painted last, or again where that does not do. */
  #edgeLayer(painting: Painting, ratio: number): EdgeLayer {
    const { canvas } = this.#edgeContext;
    if (this.#painted === null || !isLayerGood(this.#painted, painting)) {
      [canvas.width, canvas.height] = [this.#canvas.width, this.#canvas.height];
      this.#edgeContext.setTransform(ratio, 0, 0, ratio, 0, 0);
      paintEdgeLayer(this.#edgeContext, painting);
      this.#painted = painting;
    }
    return { image: canvas, camera: this.#painted.camera };
  }

  #toGraph(x: number, y: number): { x: number; y: number } {
    const { scale } = this.#camera;
    return { x: (x - this.#width / 2) / scale + this.#camera.x, y: (y - this.#height / 2) / scale + this.#camera.y };
  }

  #positionOf(i: number): { x: number; y: number } {
    const { positions } = this.#scene!;
    return { x: positions[2 * i]!, y: positions[2 * i + 1]! };
  }

  #memoryAt(x: number, y: number): number {
    const scene = this.#scene;
    if (scene === null) return -1;
    const place = this.#toGraph(x, y);
    let [found, nearest] = [-1, Number.POSITIVE_INFINITY];
    for (let i = 0; i < scene.ages.length; i++) {
      if (!isSeen(scene, i)) continue;
      const distance = Math.hypot(scene.positions[2 * i]! - place.x, scene.positions[2 * i + 1]! - place.y);
      const reach = radiusOf(scene.model.degrees[i]!) + reachPixels / this.#camera.scale;
      if (distance <= reach && distance < nearest) [found, nearest] = [i, distance];
    }
    return found;
  }

  #press(event: PointerEvent): void {
    this.#canvas.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.#pressed = this.#pointers.size === 1 ? { x: event.offsetX, y: event.offsetY } : null;
  }

  /** One finger moves the picture, two also make it larger or smaller. */
  #drag(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined) {
      this.#hover(this.#memoryAt(event.offsetX, event.offsetY));
      return;
    }
    const now = { x: event.offsetX, y: event.offsetY };
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, now);
    if (other !== undefined) {
      const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.hypot(before.x - other.x, before.y - other.y);
      if (Number.isFinite(factor) && factor > 0) this.zoom(factor, (now.x + other.x) / 2, (now.y + other.y) / 2);
      return;
    }
    if (this.#pressed !== null && Math.hypot(now.x - this.#pressed.x, now.y - this.#pressed.y) < 4) return;
    this.#pressed = null;
    const { x, y, scale } = this.#camera;
    this.#moveTo(x - (now.x - before.x) / scale, y - (now.y - before.y) / scale);
  }

  #release(event: PointerEvent): void {
    this.#pointers.delete(event.pointerId);
    const pressed = this.#pressed;
    this.#pressed = null;
    if (pressed !== null) this.#events.onSelect(this.#memoryAt(pressed.x, pressed.y));
  }

  #hover(i: number): void {
    if (i === this.#hovered) return;
    this.#hovered = i;
    this.#canvas.classList.toggle("is-over", i >= 0);
    this.#changed();
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.offsetX, event.offsetY);
  }

  #keyDown(event: KeyboardEvent): void {
    const directions: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const direction = directions[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (direction !== undefined) this.#step(direction);
    else if (event.key === "+" || event.key === "=") this.zoom(1.3);
    else if (event.key === "-") this.zoom(1 / 1.3);
    else if (event.key === "0") this.fit();
    else if (event.key === "Escape") this.#events.onStep(-1);
    else if (event.key === "Enter") this.#events.onSelect(this.#scene?.selected ?? -1);
    else return;
    event.preventDefault();
  }

  /** From the memory that is chosen to the nearest one in a direction; without one, to that in the middle. */
  #step([dx, dy]: readonly [number, number]): void {
    const scene = this.#scene;
    if (scene === null) return;
    const from = scene.selected < 0 ? this.#camera : this.#positionOf(scene.selected);
    let [found, best] = [-1, Number.POSITIVE_INFINITY];
    for (let i = 0; i < scene.ages.length; i++) {
      if (!isSeen(scene, i) || i === scene.selected || (scene.wanted !== null && scene.wanted[i] === 0)) continue;
      const { x, y } = this.#positionOf(i);
      const [along, across] = [(x - from.x) * dx + (y - from.y) * dy, Math.abs((x - from.x) * dy + (y - from.y) * dx)];
      if (along <= 0 && scene.selected >= 0) continue;
      const cost = Math.abs(along) + 2.5 * across;
      if (cost < best) [found, best] = [i, cost];
    }
    if (found < 0) return;
    this.#events.onStep(found);
    this.reveal(found);
  }
}

/** At rest it has to be of the same camera and with all edges; on the way it may be of a near one. */
function isLayerGood(layer: Painting, { scene, palette, width, height, camera, isMoving }: Painting): boolean {
  if (layer.scene !== scene || layer.palette !== palette) return false;
  if (layer.width !== width || layer.height !== height) return false;
  const { x, y, scale } = layer.camera;
  const ratio = camera.scale / scale;
  if (isMoving) return ratio < layerRatioMax && ratio > 1 / layerRatioMax;
  return !layer.isMoving && x === camera.x && y === camera.y && ratio === 1;
}

/** All memories are in sight; `top` pixels are left free. */
function fittingCamera({ positions }: Pick<Scene, "positions">, width: number, height: number, top = 0): Camera {
  if (positions.length === 0) return { x: 0, y: 0, scale: 1 };
  const ends = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < positions.length; i += 2) {
    ends[0] = Math.min(ends[0]!, positions[i]!);
    ends[1] = Math.min(ends[1]!, positions[i + 1]!);
    ends[2] = Math.max(ends[2]!, positions[i]!);
    ends[3] = Math.max(ends[3]!, positions[i + 1]!);
  }
  const [left, highest, right, lowest] = ends as [number, number, number, number];
  const wanted = Math.min(width / (right - left + 60), (height - top) / (lowest - highest + 60), 2);
  const scale = Math.max(scaleMin, wanted);
  return { x: (left + right) / 2, y: (highest + lowest) / 2 - top / 2 / scale, scale };
}
