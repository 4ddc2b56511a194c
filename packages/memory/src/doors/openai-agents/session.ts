/**
 * `mnemosyne-edge/openai-agents`: a session for OpenAI's Agents SDK, as its `Session` defines it, in a person's memory. What
 * `addItems` is given at once, usually an exchange, is one interaction: the memory reads what was said in it, and the
 * items lie next to that exactly as they are. The history is the session, whatever became of an exchange as a memory.
 */
import { randomUUID } from "node:crypto";
import { InputError, MnemosyneError } from "../../errors.js";
import type { HistoryItem, Metadata, PersonMemory, TurnInput } from "../../index.js";
import { orElse } from "../absence.js";
import { packValue, unpackValue } from "../stored-value.js";

export interface SessionOptions {
  readonly person: PersonMemory;
  /** The same id continues a session. Default: a new one. */
  readonly sessionId?: string;
  /** Noted with every exchange, to filter by. */
  readonly metadata?: Metadata;
}

const pageSize = 200;
/** Characters of the items in one interaction, as JSON; what is said in them counts a second time. */
const characterCountMax = 40_000;
/** How often another position is tried because other processes write into the same session. */
const attemptCountMax = 100;
const idLengthMax = 150;

interface Exchange {
  readonly id: string;
  readonly position: number;
  /** How often its last item was taken away; the highest of a position counts. */
  readonly version: number;
  readonly items: readonly object[];
  readonly at: string;
}

/** `Item` is the SDK's AgentInputItem, which a session never looks into more than it must. */
export class MnemosyneSession<Item extends object = AgentItem> {
  readonly #person: PersonMemory;
  readonly #sessionId: string;
  readonly #metadata: Metadata;
  /** Calls of this object take effect in their order. */
  #last: Promise<unknown> = Promise.resolve();

  constructor({ person, sessionId = randomUUID(), metadata = {} }: SessionOptions) {
    if (typeof sessionId !== "string" || sessionId === "" || sessionId.length > idLengthMax) {
      throw new InputError("option_invalid", `sessionId must be text of 1 to ${idLengthMax} characters`);
    }
    this.#person = person;
    this.#sessionId = sessionId;
    this.#metadata = metadata;
  }

  async getSessionId(): Promise<string> {
    return this.#sessionId;
  }

  /** All items, or the most recent ones, oldest first. */
  getItems(limit?: number): Promise<Item[]> {
    return this.#inOrder(async () => {
      const items = (await this.#exchanges()).flatMap(({ items }) => items) as Item[];
      if (limit === undefined) return items;
      return limit <= 0 ? [] : items.slice(-limit);
    });
  }

  /** They are on disk when this resolves. */
  addItems(items: readonly Item[]): Promise<void> {
    return this.#inOrder(async () => {
      const parts = divide(items);
      for (const part of parts) packValue(part, "the items");
      for (const part of parts) await this.#append(part);
    });
  }

  /** The item is gone from the file as well. */
  popItem(): Promise<Item | undefined> {
    return this.#inOrder(async () => {
      const last = (await this.#exchanges()).findLast(({ items }) => items.length > 0);
      if (last === undefined) return undefined;
      const rest = last.items.slice(0, -1);
      // What stays is stored first, so that nothing is lost if the process ends in between.
      if (rest.length > 0) await this.#store(rest, last.position, last.version + 1, last.at);
      await this.#forgetUpTo(last);
      return last.items.at(-1) as Item;
    });
  }

  /** What was said in the session is forgotten for good. */
  clearSession(): Promise<void> {
    return this.#inOrder(async () => {
      await orElse(this.#person.forget({ filter: { session: this.#sessionId } }), null);
    });
  }

  async #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  async #append(items: readonly object[]): Promise<void> {
    const exchanges = await this.#exchanges();
    let position = (exchanges.at(-1)?.position ?? -1) + 1;
    for (let attempt = 1; ; attempt++, position++) {
      try {
        return await this.#store(items, position, 0);
      } catch (error) {
        const isTaken = error instanceof MnemosyneError && error.code === "id_taken";
        if (!isTaken || attempt === attemptCountMax) throw error;
      }
    }
  }

  async #store(items: readonly object[], position: number, version: number, at?: string): Promise<void> {
    const { isNew } = await this.#person.commit({
      id: `${this.#sessionId}/${position}.${version}`,
      ...(at === undefined ? {} : { at }),
      messages: readable(items),
      metadata: {
        ...this.#metadata,
        session: this.#sessionId,
        position,
        version,
        ...packValue(items, "the items"),
      },
    });
    // The same items twice are two exchanges; a copy of one that another process has just stored gets its own position.
    if (!isNew) throw new InputError("id_taken", `position ${position} of the session is taken`);
  }

  async #exchanges(): Promise<Exchange[]> {
    const byPosition = new Map<number, Exchange>();
    for (const exchange of await this.#stored()) {
      const known = byPosition.get(exchange.position);
      if (known === undefined || known.version < exchange.version) byPosition.set(exchange.position, exchange);
    }
    return [...byPosition.values()].sort((x, y) => x.position - y.position);
  }

  async #stored(): Promise<Exchange[]> {
    const filter = { session: this.#sessionId };
    const exchanges: Exchange[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const options = { filter, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) };
      const page: (HistoryItem[] & { nextCursor: string | null }) | null = await orElse(
        this.#person.history(options),
        null,
      );
      if (page === null) return [];
      exchanges.push(...page.map(readExchange));
      cursor = page.nextCursor;
    }
    return exchanges;
  }

  /** An exchange and what is left of its earlier versions. */
  async #forgetUpTo({ position, version }: Exchange): Promise<void> {
    const old = (await this.#stored()).filter((one) => one.position === position && one.version <= version);
    if (old.length > 0) await this.#person.forget(old.map(({ id }) => id));
  }
}

/** What every item of the SDK has at most in common. */
export type AgentItem = object;

function readExchange({ id, at, metadata }: HistoryItem): Exchange {
  const items = unpackValue(metadata) as readonly object[];
  return { id, at, items, position: Number(metadata["position"]), version: Number(metadata["version"]) };
}

/** Parts that fit into an interaction each; an item is never divided. */
function divide(items: readonly object[]): object[][] {
  const parts: object[][] = [];
  let count = Infinity;
  for (const item of items) {
    const length = JSON.stringify(item)?.length ?? 0;
    if (count + length > characterCountMax) {
      parts.push([]);
      count = 0;
    }
    parts.at(-1)!.push(item);
    count += length;
  }
  return parts;
}

/** What the memory is to read: messages of people and assistants, and that there was something else. */
function readable(items: readonly object[]): TurnInput[] {
  const messages = items.filter(isSaid) as TurnInput[];
  return messages.length > 0 ? messages : [{ who: "assistant", text: "[no words]" }];
}

function isSaid(item: object): boolean {
  const { role, content } = item as { role?: unknown; content?: unknown };
  if (role !== "user" && role !== "assistant") return false;
  if (typeof content === "string") return content.trim() !== "";
  return (
    Array.isArray(content) &&
    content.some((part: { text?: unknown }) => typeof part?.text === "string" && part.text.trim() !== "")
  );
}
