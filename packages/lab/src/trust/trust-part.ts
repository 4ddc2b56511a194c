/** One part of the measurement: each item or story is told to a memory of its own, and every verdict is a record. */
import type { Bootstrap, Interval } from "../report/bootstrap.js";
import { ratio } from "../report/filter-scores.js";
import type { PartName, PersonNeeds, TrustPerson, TrustSystem } from "./trust-system.js";

/** One verdict, with what it takes to see why. */
export interface TrustVerdict {
  /** Of the item, or of the question of a story. */
  readonly id: string;
  /** What went wrong; empty if nothing did. */
  readonly problems: readonly string[];
}

export interface TrustRecord extends TrustVerdict {
  readonly system: string;
  readonly part: PartName;
  readonly verdict: "right" | "wrong";
}

/** Null if there is nothing to divide by. */
export type Figures = Readonly<Record<string, number | null>>;

export interface TrustScores {
  /** Items, or questions of stories. */
  readonly count: number;
  /** With 95 % intervals over items, or over whole stories. */
  readonly figures: Readonly<Record<string, { readonly value: number | null; readonly interval: Interval | null }>>;
}

/** A unit is what a memory of its own is told: an item or a story. */
export interface PartDefinition<Unit extends { readonly id: string }, Verdict extends TrustVerdict> {
  readonly name: PartName;
  /** What the memory of a unit needs beyond what every one has. */
  needs?(unit: Unit): PersonNeeds;
  measure(unit: Unit, person: TrustPerson): Promise<Verdict[]>;
  score(verdicts: readonly Verdict[]): Figures;
}

/** A part with its data. */
export interface TrustPart {
  readonly name: PartName;
  readonly unitCount: number;
  measure(name: string, system: TrustSystem, bootstrap: Bootstrap, onUnit: () => void): Promise<MeasuredPart>;
}

export interface MeasuredPart {
  readonly scores: TrustScores;
  readonly records: readonly TrustRecord[];
}

export function createPart<Unit extends { readonly id: string }, Verdict extends TrustVerdict>(
  { name: part, needs = () => ({}), measure, score }: PartDefinition<Unit, Verdict>,
  units: readonly Unit[],
): TrustPart {
  return {
    name: part,
    unitCount: units.length,
    measure: async (system, memory, bootstrap, onUnit) => {
      const measured: Verdict[][] = [];
      for (const unit of units) {
        const person = await memory.person(`${part} ${unit.id}`, needs(unit));
        measured.push(await measure(unit, person));
        onUnit();
      }
      const verdicts = measured.flat();
      const intervals = bootstrap.figureIntervals(measured, (drawn) => score(drawn.flat()));
      const figures = Object.entries(score(verdicts)).map(([name, value]) => [
        name,
        { value, interval: intervals[name] ?? null },
      ]);
      return {
        scores: { count: verdicts.length, figures: Object.fromEntries(figures) as TrustScores["figures"] },
        records: verdicts.map((verdict) => toRecord(system, part, verdict)),
      };
    },
  };
}

function toRecord(system: string, part: PartName, { id, problems, ...rest }: TrustVerdict): TrustRecord {
  return { system, part, id, verdict: problems.length === 0 ? "right" : "wrong", problems, ...rest };
}

/** Those of the problems that are there. */
export function listProblems(problems: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(problems).flatMap(([problem, isThere]) => (isThere ? [problem] : []));
}

/** Share of those that fit; null without any. */
export function share<Item>(items: readonly Item[], isFitting: (item: Item) => boolean): number | null {
  return ratio(items.filter(isFitting).length, items.length);
}
