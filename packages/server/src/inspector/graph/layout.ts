/**
 * Where memories lie: a force-directed layout (Fruchterman and Reingold's forces, Barnes and Hut's approximation of the
 * repulsion), without randomness, so that the same graph always looks the same. Memories begin on a spiral in order of
 * time; edges pull, memories push, and the middle holds everything together.
 */
export interface LayoutInput {
  readonly nodeCount: number;
  /** Numbers of the two ends, edge after edge. */
  readonly ends: Uint32Array;
  readonly weights: Float32Array;
}

const goldenAngle = Math.PI * (3 - Math.sqrt(5));
/** The longest wanted edge. */
const spacing = 30;
/** A cell this many times narrower than it is far away counts as one point. */
const farRatio = 1.1;
const treeDepthMax = 24;
/** The largest share of the ground that memories may cover. */
const coveredMax = 0.35;

/** x and y, memory after memory: a spiral whose memories are equally dense everywhere. */
export function spiral(nodeCount: number): Float32Array {
  const positions = new Float32Array(2 * nodeCount);
  for (let i = 0; i < nodeCount; i++) {
    const radius = spacing * 0.8 * Math.sqrt(i + 0.5);
    positions[2 * i] = radius * Math.cos(i * goldenAngle);
    positions[2 * i + 1] = radius * Math.sin(i * goldenAngle);
  }
  return positions;
}

/** Fewer for many: a person waits for them. */
function roundsFor(nodeCount: number): number {
  return Math.round(Math.min(300, Math.max(60, 1_500_000 / Math.max(1, nodeCount))));
}

/** Yields the same array after every round. */
export function* layOut(input: LayoutInput): Generator<Float32Array, void> {
  const { nodeCount } = input;
  const positions = spiral(nodeCount);
  const forces = new Float32Array(2 * nodeCount);
  const rounds = roundsFor(nodeCount);
  const tree = new QuadTree(nodeCount);
  // Far enough to cross the whole spiral within a few rounds.
  const firstStep = Math.max(1.5 * spacing, 1.6 * Math.sqrt(nodeCount));
  for (let round = 0; round < rounds; round++) {
    forces.fill(0);
    tree.build(positions);
    for (let i = 0; i < nodeCount; i++) tree.push(i, positions, forces);
    pull(input, positions, forces);
    const stepMax = firstStep * (1 - round / rounds) ** 1.5 + 0.05;
    move(positions, forces, stepMax);
    yield positions;
  }
}

/**
 * What is much connected is drawn large and pulled together: where memories would cover more than a part of the ground
 * they lie on, all go further apart. A new array.
 */
export function spread(positions: Float32Array, radii: Float32Array): Float32Array<ArrayBuffer> {
  let [squares, discs] = [0, 0];
  for (const value of positions) squares += value * value;
  for (const radius of radii) discs += radius * radius;
  // Of a round ground that is equally dense everywhere, the mean square of the distances is half the square of its radius.
  const ground = (2 * squares) / Math.max(1, radii.length);
  const factor = squares === 0 ? 1 : Math.max(1, Math.sqrt(discs / (coveredMax * ground)));
  return Float32Array.from(positions, (value) => value * factor);
}

function pull({ ends, weights }: LayoutInput, positions: Float32Array, forces: Float32Array): void {
  for (let e = 0; e < weights.length; e++) {
    const [a, b] = [2 * ends[2 * e]!, 2 * ends[2 * e + 1]!];
    const [dx, dy] = [positions[b]! - positions[a]!, positions[b + 1]! - positions[a + 1]!];
    const strength = (Math.hypot(dx, dy) / spacing) * weights[e]! * 0.9;
    forces[a]! += dx * strength * 0.5;
    forces[a + 1]! += dy * strength * 0.5;
    forces[b]! -= dx * strength * 0.5;
    forces[b + 1]! -= dy * strength * 0.5;
  }
}

function move(positions: Float32Array, forces: Float32Array, stepMax: number): void {
  const gravity = 0.35;
  for (let i = 0; i < positions.length; i += 2) {
    const fx = forces[i]! - positions[i]! * gravity;
    const fy = forces[i + 1]! - positions[i + 1]! * gravity;
    const length = Math.hypot(fx, fy);
    if (length === 0) continue;
    const step = Math.min(stepMax, length) / length;
    positions[i]! += fx * step;
    positions[i + 1]! += fy * step;
  }
}

/** Cells of a square, each with the middle and number of what is in it; children of a cell are four in a row. */
class QuadTree {
  #childOf: Int32Array;
  #memberOf: Int32Array;
  #mass: Float32Array;
  #x: Float32Array;
  #y: Float32Array;
  #size: Float32Array;
  #cellCount = 0;
  readonly #stack = new Int32Array(4 * treeDepthMax + 8);

  constructor(nodeCount: number) {
    const cellCountMax = 16 * nodeCount + 64;
    this.#childOf = new Int32Array(cellCountMax);
    this.#memberOf = new Int32Array(cellCountMax);
    this.#mass = new Float32Array(cellCountMax);
    this.#x = new Float32Array(cellCountMax);
    this.#y = new Float32Array(cellCountMax);
    this.#size = new Float32Array(cellCountMax);
  }

  build(positions: Float32Array): void {
    let extent = 1;
    for (const value of positions) extent = Math.max(extent, Math.abs(value));
    this.#cellCount = 0;
    this.#addCell(2 * extent);
    for (let i = 0; i < positions.length / 2; i++) this.#insert(i, positions, extent);
  }

  /** Adds to the force on a memory what all others push it by. */
  push(i: number, positions: Float32Array, forces: Float32Array): void {
    const [px, py] = [positions[2 * i]!, positions[2 * i + 1]!];
    let [fx, fy, top] = [0, 0, 0];
    this.#stack[top++] = 0;
    while (top > 0) {
      const cell = this.#stack[--top]!;
      const mass = this.#mass[cell]!;
      if (mass === 0 || this.#memberOf[cell] === i) continue;
      const [dx, dy] = [px - this.#x[cell]! / mass, py - this.#y[cell]! / mass];
      const squared = dx * dx + dy * dy + 0.01;
      const child = this.#childOf[cell]!;
      if (child === 0 || this.#size[cell]! ** 2 < (squared / farRatio) * 0.8) {
        const strength = (mass * spacing * spacing * 0.5) / squared;
        fx += dx * strength;
        fy += dy * strength;
      } else {
        for (let quarter = 0; quarter < 4; quarter++) this.#stack[top++] = child + quarter;
      }
    }
    forces[2 * i]! += fx;
    forces[2 * i + 1]! += fy;
  }

  #addCell(size: number): number {
    const cell = this.#cellCount++;
    this.#childOf[cell] = 0;
    this.#memberOf[cell] = -1;
    this.#mass[cell] = this.#x[cell] = this.#y[cell] = 0;
    this.#size[cell] = size;
    return cell;
  }

  #insert(i: number, positions: Float32Array, extent: number): void {
    const [px, py] = [positions[2 * i]!, positions[2 * i + 1]!];
    let [cell, cx, cy, half] = [0, 0, 0, extent];
    for (let depth = 0; ; depth++) {
      const isEmpty = this.#mass[cell] === 0;
      this.#mass[cell]! += 1;
      this.#x[cell]! += px;
      this.#y[cell]! += py;
      if (isEmpty) {
        this.#memberOf[cell] = i;
        return;
      }
      if (this.#childOf[cell] === 0) {
        const isFull = this.#cellCount + 4 > this.#childOf.length;
        if (depth >= treeDepthMax || isFull) return;
        this.#divide(cell, positions, cx, cy, half);
      }
      const quarter = (px >= cx ? 1 : 0) + (py >= cy ? 2 : 0);
      half /= 2;
      cx += px >= cx ? half : -half;
      cy += py >= cy ? half : -half;
      cell = this.#childOf[cell]! + quarter;
    }
  }

  /** A second memory in a cell: the first one moves into one of its quarters. */
  #divide(cell: number, positions: Float32Array, cx: number, cy: number, half: number): void {
    const first = this.#cellCount;
    for (let quarter = 0; quarter < 4; quarter++) this.#addCell(half);
    const member = this.#memberOf[cell]!;
    const [mx, my] = [positions[2 * member]!, positions[2 * member + 1]!];
    const quarter = first + (mx >= cx ? 1 : 0) + (my >= cy ? 2 : 0);
    this.#mass[quarter] = 1;
    this.#x[quarter] = mx;
    this.#y[quarter] = my;
    this.#memberOf[quarter] = member;
    this.#memberOf[cell] = -1;
    this.#childOf[cell] = first;
  }
}
