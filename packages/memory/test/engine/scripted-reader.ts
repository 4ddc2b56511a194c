/** A reader that answers from a script and notes what it was asked. */
import type { LifeArea, Reader, Reading, Relation, StatementInTalk, StatementPair } from "mnemosyne-edge";

export interface ReaderScript {
  /** Only what differs from a fact of the person that can stand alone and does not last. */
  readonly read?: (statement: string, before: string | null) => Partial<Reading>;
  readonly relate?: (pair: StatementPair) => keyof Relation | Relation;
}

const passing: Reading = { fact: 1, about: "self", area: "self", lasting: 0, alone: 1 };

/** What lasts, perhaps with how surely it does. */
export function lasting(area: LifeArea, probability = 1): Partial<Reading> {
  return { area, lasting: probability };
}

/** As sure as it can be, all the same. */
export function surely(kind: keyof Relation): Relation {
  return { repeats: 0, ends: 0, other: 0, [kind]: 1 };
}

/** Where the script says nothing, everything is a fact of the day and nothing is related. */
export class ScriptedReader implements Reader {
  readonly name = "scripted";
  /** What it was to read, batch by batch; pairs likewise. */
  readonly statements: (readonly StatementInTalk[])[] = [];
  readonly pairs: (readonly StatementPair[])[] = [];
  isClosed = false;
  readonly #script: ReaderScript;

  constructor(script: ReaderScript = {}) {
    this.#script = script;
  }

  async read(statements: readonly StatementInTalk[]): Promise<Reading[]> {
    this.statements.push(statements);
    return statements.map(({ text, before }) => ({ ...passing, ...this.#script.read?.(text, before) }));
  }

  async relate(pairs: readonly StatementPair[]): Promise<Relation[]> {
    this.pairs.push(pairs);
    return pairs.map((pair) => {
      const found = this.#script.relate?.(pair) ?? "other";
      return typeof found === "string" ? surely(found) : found;
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}
