/** A judge that answers from a script and notes what it was asked. */
import type { AreaShares, Judge, JudgedPair, LifeArea, Relation } from "mnemosyne-edge";
import { areaNames } from "../../src/adapters/reader/bundled-reader.js";

export interface JudgeScript {
  readonly substance?: (text: string) => number;
  readonly relation?: (pair: JudgedPair) => keyof Relation | Relation;
  readonly relevance?: (question: string, statement: string) => number;
  /** The area of what lasts, perhaps with how surely it does; null for what is passing. */
  readonly areas?: (statement: string) => LifeArea | readonly [area: LifeArea, probability: number] | null;
}

export function sharesOf(area: LifeArea | null, probability = 1): AreaShares {
  const none = Object.fromEntries(areaNames.map((name) => [name, 0])) as Record<keyof AreaShares, number>;
  return area === null ? { ...none, passing: 1 } : { ...none, passing: 1 - probability, [area]: probability };
}

/** As sure as it can be, all the same. */
export function surely(kind: keyof Relation): Relation {
  return { repetition: 0, update: 0, different: 0, [kind]: 1 };
}

/** Where the script says nothing, everything tells something, nothing is related and nothing answers. */
export class ScriptedJudge implements Judge {
  readonly name = "scripted";
  readonly texts: (readonly string[])[] = [];
  readonly pairs: (readonly JudgedPair[])[] = [];
  readonly statements: (readonly string[])[] = [];
  isClosed = false;
  /** Only where the script says something about them. */
  readonly areas?: (statements: readonly string[]) => Promise<AreaShares[]>;
  readonly #script: JudgeScript;

  constructor(script: JudgeScript = {}) {
    this.#script = script;
    const { areas } = script;
    if (areas === undefined) return;
    this.areas = async (statements) =>
      statements.map((statement) => {
        const found = areas(statement);
        return Array.isArray(found) ? sharesOf(...(found as [LifeArea, number])) : sharesOf(found as LifeArea | null);
      });
  }

  async substance(texts: readonly string[]): Promise<number[]> {
    this.texts.push(texts);
    return texts.map(this.#script.substance ?? (() => 1));
  }

  async relation(pairs: readonly JudgedPair[]): Promise<Relation[]> {
    this.pairs.push(pairs);
    return pairs.map((pair) => {
      const found = this.#script.relation?.(pair) ?? "different";
      return typeof found === "string" ? surely(found) : found;
    });
  }

  async relevance(question: string, statements: readonly string[]): Promise<number[]> {
    this.statements.push(statements);
    return statements.map((statement) => this.#script.relevance?.(question, statement) ?? 0);
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}
