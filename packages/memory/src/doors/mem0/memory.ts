/**
 * `mnemosyne-edge/mem0`: `Memory` with the methods of mem0's open-source package, on Mnemosyne. One import changes. What is
 * added is a memory of the person `userId`; what is deleted is gone from the file; what is added twice is one memory.
 */
import { InputError, MnemosyneError, NotFoundError } from "../../errors.js";
import {
  type InteractionInput,
  type MemoryFilter,
  Mnemosyne,
  type MnemosyneOptions,
  type PersonMemory,
} from "../../index.js";
import { orElse } from "../absence.js";
import type {
  AddMemoryOptions,
  DeleteAllMemoryOptions,
  GetAllMemoryOptions,
  HistoryRow,
  MemoryItem,
  Message,
  SearchMemoryOptions,
  SearchResult,
  UpdateMemoryOptions,
} from "./mem0-types.js";
import { type Selection, personWithoutUser, readFilters, readScope, scopeFields } from "./scope.js";
import {
  expiryOf,
  historyRows,
  isIdOf,
  memoryId,
  packMetadata,
  textOf,
  unpackMetadata,
  updatedField,
  viewMemory,
} from "./stored-memory.js";

export type * from "./mem0-types.js";

const topKDefault = 20;
const pageSizeMax = 1_000;
/** How many ids are tried for what was added, changed, and is added again. */
const idCountMax = 100;

export class Memory {
  readonly #options: MnemosyneOptions;
  readonly #given: Mnemosyne | undefined;
  #opened: Promise<Mnemosyne> | null = null;

  /** Takes what `Mnemosyne.open` takes, and opens it at the first call. */
  constructor(options: MnemosyneOptions = {}, mnemosyne?: Mnemosyne) {
    this.#options = options;
    this.#given = mnemosyne;
  }

  /** On a memory that is open already, and stays open after `close`. */
  static fromMnemosyne(mnemosyne: Mnemosyne): Memory {
    return new Memory({}, mnemosyne);
  }

  /** What became a memory; nothing for small talk, and for what is there already. */
  async add(messages: string | Message[], config: AddMemoryOptions): Promise<SearchResult> {
    const said = readMessages(messages);
    const scope = readScope(config, config.filters);
    const { infer = true, expirationDate } = config;
    const name = scope.userId ?? personWithoutUser;
    const person = (await this.#open()).person(name);
    const expiry = expirationDate == null ? {} : { expiration_date: expirationDate };
    const details = {
      metadata: packMetadata({ ...config.metadata, ...expiry }, scopeFields(scope)),
      ...(expirationDate == null ? {} : { expiresAt: expiryOf(expirationDate) }),
    };
    const parts = infer ? [{ messages: said }] : said.filter(({ role }) => role !== "system").map(asIs);
    const results: MemoryItem[] = [];
    for (const part of parts) {
      const added = await addOne(person, { ...part, keep: !infer, ...details });
      if (added !== null) results.push(added);
    }
    return { results };
  }

  /** Best first. */
  async search(query: string, config: SearchMemoryOptions): Promise<SearchResult> {
    checkSearch(config, "search");
    const selection = readFilters(config.filters, "search");
    const { topK = topKDefault, threshold } = config;
    if (topK === 0) return { results: [] };
    const found: MemoryItem[] = [];
    for (const person of await this.#personsOf(selection)) {
      await person.settled();
      const { memories } = await person.recall(query, {
        limit: topK,
        filter: selection.filter,
        ...(threshold === undefined ? {} : { minScore: threshold }),
      });
      found.push(...memories.map((memory) => viewMemory(memory, person.name)));
    }
    return { results: rank(found, selection).slice(0, topK) };
  }

  async get(memoryId: string): Promise<MemoryItem | null> {
    const person = await this.#findPerson(memoryId);
    if (person === null) return null;
    const memory = await orElse(person.get(memoryId), null);
    if (memory !== null) return viewMemory(memory, person.name);
    // A repetition has taken its place, or it waits to be processed; its id stays valid.
    const [entry] = await orElse(person.history({ ids: [memoryId] }), []);
    return entry === undefined ? null : viewMemory({ ...entry, summary: textOf(entry) }, person.name);
  }

  /** Oldest first. */
  async getAll(config: GetAllMemoryOptions): Promise<SearchResult> {
    checkSearch(config, "getAll");
    const selection = readFilters(config.filters, "getAll");
    const { topK = topKDefault } = config;
    const results: MemoryItem[] = [];
    for (const person of await this.#personsOf(selection)) {
      if (results.length >= topK) break;
      results.push(...(await listMemories(person, selection.filter, topK - results.length)));
    }
    return { results };
  }

  async update(memoryId: string, config: string | UpdateMemoryOptions): Promise<{ message: string }> {
    const { text, metadata, expirationDate }: UpdateMemoryOptions =
      typeof config === "string" ? { text: config } : config;
    if (text == null && metadata == null && expirationDate === undefined) {
      throw new InputError("option_invalid", "update needs at least one of text, metadata and expirationDate");
    }
    const person = await this.#requirePerson(memoryId, "update");
    const [present] = await person.history({ ids: [memoryId] });
    const { user_id, agent_id, run_id } = present!.metadata;
    const fields = Object.fromEntries(
      Object.entries({ user_id, agent_id, run_id }).filter(([, id]) => id !== undefined),
    );
    const merged: Record<string, unknown> = { ...unpackMetadata(present!.metadata), ...metadata };
    if (expirationDate === null) delete merged["expiration_date"];
    else if (expirationDate !== undefined) merged["expiration_date"] = expirationDate;
    await person.update(memoryId, {
      ...(text == null ? {} : { text }),
      metadata: packMetadata(merged, { ...(fields as Record<string, string>), ...updatedField() }),
      ...(expirationDate === undefined ? {} : { expiresAt: expirationDate === null ? null : expiryOf(expirationDate) }),
    });
    return { message: "Memory updated successfully!" };
  }

  /** The memory is gone from the file, with its history. */
  async delete(memoryId: string): Promise<{ message: string }> {
    const person = await this.#requirePerson(memoryId, "delete");
    await person.forget(memoryId);
    return { message: "Memory deleted successfully!" };
  }

  /** Everything about the user, or what an agent or a run has noted, is gone from the file. */
  async deleteAll(config: DeleteAllMemoryOptions): Promise<{ message: string }> {
    const { userId, ...others } = readScope(config, {}, "deleteAll");
    const fields = scopeFields({ ...others, userId: undefined });
    const isWhole = Object.keys(fields).length === 0;
    const persons = await this.#personsOf({ person: userId, filter: {} });
    for (const person of persons) {
      await orElse(isWhole ? person.forgetAll() : person.forget({ filter: fields }), null);
    }
    return { message: "Memories deleted successfully!" };
  }

  /** The texts it has had, newest first; nothing once it is deleted. */
  async history(memoryId: string): Promise<HistoryRow[]> {
    const person = await this.#findPerson(memoryId);
    const [entry] = person === null ? [] : await orElse(person.history({ ids: [memoryId] }), []);
    return entry === undefined ? [] : historyRows(entry);
  }

  /** Forgets everybody. */
  async reset(): Promise<void> {
    for (const person of await this.#personsOf({ person: undefined, filter: {} }))
      await orElse(person.forgetAll(), null);
  }

  /** Closes what the constructor opened. */
  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    if (opened !== null) await (await opened).close();
  }

  /** Once; after a failure the next call tries again. */
  async #open(): Promise<Mnemosyne> {
    if (this.#given !== undefined) return this.#given;
    this.#opened ??= Mnemosyne.open(this.#options);
    try {
      return await this.#opened;
    } catch (error) {
      this.#opened = null;
      throw error;
    }
  }

  async #personsOf({ person }: Selection): Promise<PersonMemory[]> {
    const mnemosyne = await this.#open();
    if (person !== undefined) return [mnemosyne.person(person)];
    const persons: PersonMemory[] = [];
    for await (const name of mnemosyne.persons({ limit: pageSizeMax })) persons.push(mnemosyne.person(name));
    return persons;
  }

  /** By the id's first half; ids that were made elsewhere are looked up with everybody. */
  async #findPerson(id: string): Promise<PersonMemory | null> {
    const persons = await this.#personsOf({ person: undefined, filter: {} });
    const likely = persons.filter(({ name }) => isIdOf(name, id));
    for (const person of likely.length > 0 ? likely : persons) {
      const [entry] = await orElse(person.history({ ids: [id] }), []);
      if (entry !== undefined) return person;
    }
    return null;
  }

  async #requirePerson(id: string, method: string): Promise<PersonMemory> {
    const person = await this.#findPerson(id);
    if (person !== null) return person;
    throw new NotFoundError("unknown_id", `${method}: Memory with ID ${id} not found`);
  }
}

interface SaidMessage {
  readonly role: string;
  readonly content: string | readonly object[];
}

function readMessages(messages: string | readonly Message[]): SaidMessage[] {
  const given = typeof messages === "string" ? [{ role: "user", content: messages }] : messages;
  const isEmpty = ({ content }: Message): boolean => typeof content === "string" && content.trim() === "";
  if (!Array.isArray(given) || given.every(isEmpty)) {
    throw new InputError(
      "interaction_empty",
      "add needs messages: a text, or a list with at least one that is not blank",
    );
  }
  return given.map(({ role, content }: Message) => ({
    role,
    content: typeof content === "string" ? content : [content],
  }));
}

/** A message that is a memory in its own words. */
function asIs(message: SaidMessage): InteractionInput {
  const { content } = message;
  return { messages: [message], ...(typeof content === "string" ? { summary: content } : {}) };
}

/** Null for what is not worth remembering, and for what is there already. */
async function addOne(person: PersonMemory, input: InteractionInput): Promise<MemoryItem | null> {
  for (let attempt = 0; ; attempt++) {
    const id = memoryId(person.name, [input, ...(attempt === 0 ? [] : [attempt])]);
    try {
      const { isNew, outcome } = await person.commit({ id, ...input }, { wait: true });
      if (!isNew || outcome === "discarded") return null;
      const { memory } = viewMemory(await person.get(id), person.name);
      return { id, memory, metadata: { event: "ADD" } };
    } catch (error) {
      // The memory under this id has been changed since, so this is another one.
      const isTaken = error instanceof MnemosyneError && error.code === "id_taken";
      if (!isTaken || attempt === idCountMax) throw error;
    }
  }
}

async function listMemories(person: PersonMemory, filter: MemoryFilter, countMax: number): Promise<MemoryItem[]> {
  const found: MemoryItem[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && found.length < countMax) {
    const limit = Math.min(countMax - found.length, pageSizeMax);
    const page = await orElse(person.list({ filter, limit, ...(cursor === undefined ? {} : { cursor }) }), null);
    found.push(...(page ?? []).map((memory) => viewMemory(memory, person.name)));
    cursor = page?.nextCursor ?? null;
  }
  return found;
}

/** One person's are in order; those of several are merged by score. */
function rank(found: readonly MemoryItem[], { person }: Selection): readonly MemoryItem[] {
  return person === undefined ? found.toSorted((x, y) => (y.score ?? 0) - (x.score ?? 0)) : found;
}

function checkSearch(config: SearchMemoryOptions, method: string): void {
  const { topK } = config;
  if (topK !== undefined && !(Number.isInteger(topK) && topK >= 0)) {
    throw new InputError("option_invalid", `topK is ${topK}; it must be a whole number from 0`);
  }
  const misplaced = ["userId", "agentId", "runId", "user_id", "agent_id", "run_id"].filter((name) => name in config);
  if (misplaced.length > 0) {
    throw new InputError(
      "option_invalid",
      `${method} takes ${misplaced.join(", ")} in filters, such as { user_id: "u1" }`,
    );
  }
}
