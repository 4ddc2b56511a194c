/**
 * What is to be seen of a graph at a moment, independent of how it is painted. Sizes follow connectivity, colours effective age.
 */
import { type GraphModel, effectiveAges, outdatedAt } from "./graph-model.js";

export const ageSteps = 12;

export interface Mark {
  /** A start node of a recall, or reached by its walk. */
  readonly kind: "start" | "reached";
}

export interface WalkedEdge {
  readonly from: number;
  readonly to: number;
  readonly isTaken: boolean;
  readonly isCurrent: boolean;
}

export interface SceneOptions {
  readonly atMs: number;
  /** 1 for those that stand out; null for all. */
  readonly wanted: Uint8Array | null;
  readonly selected: number;
  readonly marks: ReadonlyMap<number, Mark>;
  readonly walked: readonly WalkedEdge[];
}

export interface Scene extends SceneOptions {
  readonly model: GraphModel;
  readonly positions: Float32Array;
  /** Of each memory: 0 for the youngest to `ageSteps` - 1; -1 if it is not there. */
  readonly ages: Int8Array;
  readonly outdated: Uint8Array;
  readonly youngestMs: number;
  readonly oldestMs: number;
}

export function makeScene(model: GraphModel, positions: Float32Array, options: SceneOptions): Scene {
  const effective = effectiveAges(model, options.atMs);
  let [youngestMs, oldestMs] = [Number.POSITIVE_INFINITY, 0];
  for (const age of effective) {
    if (Number.isNaN(age)) continue;
    youngestMs = Math.min(youngestMs, age);
    oldestMs = Math.max(oldestMs, age);
  }
  if (youngestMs > oldestMs) youngestMs = oldestMs;
  const span = Math.max(1, oldestMs - youngestMs);
  const ages = Int8Array.from(effective, (age) =>
    Number.isNaN(age) ? -1 : Math.min(ageSteps - 1, Math.floor(((age - youngestMs) / span) * ageSteps)),
  );
  return { ...options, model, positions, ages, outdated: outdatedAt(model, options.atMs), youngestMs, oldestMs };
}

export function isSeen({ ages }: Scene, i: number): boolean {
  return ages[i]! >= 0;
}

export function isFaint({ wanted, marks, walked }: Scene, i: number): boolean {
  if (wanted !== null && wanted[i] === 0) return true;
  return walked.length + marks.size > 0 && !marks.has(i);
}

/** In the layout's own unit. */
export function radiusOf(degree: number): number {
  return 4 + Math.min(9, 1.7 * Math.sqrt(degree));
}

/** From young to old, between three colours given as r, g, b. */
function ageColours(stops: readonly (readonly [number, number, number])[]): string[] {
  return Array.from({ length: ageSteps }, (_, step) => {
    const place = (step / (ageSteps - 1)) * (stops.length - 1);
    const first = Math.min(stops.length - 2, Math.floor(place));
    const mixed = [0, 1, 2].map((part) => {
      const [x, y] = [stops[first]![part]!, stops[first + 1]![part]!];
      return Math.round(x + (y - x) * (place - first));
    });
    return `rgb(${mixed.join(" ")})`;
  });
}

export interface Palette {
  readonly background: string;
  readonly ink: string;
  readonly faint: string;
  readonly edge: string;
  readonly pair: string;
  readonly accent: string;
  readonly ages: readonly string[];
}

export const palettes: Readonly<Record<"light" | "dark", Palette>> = {
  light: {
    background: "#fbfaf7",
    ink: "#23262b",
    faint: "#d9d6cf",
    edge: "#8d8a84",
    pair: "#7a5c93",
    accent: "#0b6e69",
    ages: ageColours([
      [207, 84, 30],
      [138, 103, 158],
      [116, 139, 160],
    ]),
  },
  dark: {
    background: "#15181c",
    ink: "#eceae4",
    faint: "#2d3238",
    edge: "#7d838b",
    pair: "#b59ccb",
    accent: "#4fc7bf",
    ages: ageColours([
      [255, 150, 92],
      [178, 142, 200],
      [92, 120, 146],
    ]),
  },
};
