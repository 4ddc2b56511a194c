/** A judge that answers from a script and notes what it was asked. */
import type { Judge, JudgedPair, Relation } from "mnemosyne-edge";

export interface JudgeScript {
  readonly substance?: (text: string) => number;
  readonly relation?: (pair: JudgedPair) => keyof Relation | Relation;
  readonly relevance?: (question: string, statement: string) => number;
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
  readonly #script: JudgeScript;

  constructor(script: JudgeScript = {}) {
    this.#script = script;
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
