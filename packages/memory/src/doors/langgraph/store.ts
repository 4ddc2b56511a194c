/**
 * `mnemosyne-edge/langgraph`: a store for LangGraph, as its `BaseStore` defines it. Each namespace is a person, each item
 * an interaction under its key. An item is whatever the history has under that id, whatever became of it as a memory; so
 * none is lost to the substance filter, to a repetition or to pruning. Search by meaning is a recall.
 */
import { MnemosyneError } from "../../errors.js";
import type { HistoryItem, MemoryFilter, Metadata, Mnemosyne, PersonMemory } from "../../index.js";
import { orElse } from "../absence.js";
import { packValue, unpackValue } from "../stored-value.js";
import { textOf } from "./item-text.js";
import { checkNamespace, idOf, isBelow, namespaceOf, personName, selectNamespaces } from "./namespaces.js";
import type {
  GetOperation,
  Item,
  ListNamespacesOptions,
  ListNamespacesOperation,
  Operation,
  OperationResults,
  PutOperation,
  SearchItem,
  SearchOperation,
  SearchOptions,
} from "./store-types.js";
import { passesFilter } from "./value-filter.js";

export type { Item, Operation, SearchItem } from "./store-types.js";

const pageSize = 200;
/** Of ids in one condition of a filter. */
const idCountMax = 1_000;
/** How often a put begins again because somebody else deletes or puts the same item. */
const attemptCountMax = 20;

interface FoundItem {
  readonly id: string;
  readonly item: Item;
  /** Absent without a query, and for what a recall did not find. */
  readonly score?: number;
}

interface StoredItem {
  readonly key: string;
  readonly value: Record<string, unknown>;
}

export class MnemosyneStore {
  readonly #mnemosyne: Mnemosyne;

  constructor(mnemosyne: Mnemosyne) {
    this.#mnemosyne = mnemosyne;
  }

  /** The person that a namespace is, for a recall of your own. */
  personOf(namespace: readonly string[]): PersonMemory {
    return this.#mnemosyne.person(personName(namespace));
  }

  /** Reads see the store as it was before; of several puts of one key the last counts. */
  batch<Operations extends Operation[]>(operations: Operations): Promise<OperationResults<Operations>>;
  /** For the compiler, which does not see that LangGraph's own type of results is the same. */
  batch(operations: Operation[]): Promise<never>;
  async batch(operations: readonly Operation[]): Promise<unknown> {
    const results: unknown[] = [];
    const puts = new Map<string, PutOperation>();
    for (const operation of operations) {
      if ("namespacePrefix" in operation) results.push(await this.#search(operation));
      else if ("value" in operation) {
        puts.set(JSON.stringify([operation.namespace, operation.key]), operation);
        results.push(null);
      } else if ("key" in operation) results.push(await this.#get(operation));
      else results.push(await this.#listNamespaces(operation));
    }
    // What cannot be stored is refused before anything is.
    for (const put of puts.values()) checkPut(put);
    for (const put of puts.values()) await this.#change(put);
    return results;
  }

  async get(namespace: string[], key: string): Promise<Item | null> {
    return this.#get({ namespace, key });
  }

  async search(namespacePrefix: string[], options: SearchOptions = {}): Promise<SearchItem[]> {
    return this.#search({ namespacePrefix, ...options });
  }

  async put(namespace: string[], key: string, value: Record<string, unknown>, index?: false | string[]): Promise<void> {
    checkNamespace(namespace);
    await this.#change({ namespace, key, value, ...(index === undefined ? {} : { index }) });
  }

  /** The item is gone from the file, with its earlier values. */
  async delete(namespace: string[], key: string): Promise<void> {
    await this.#change({ namespace, key, value: null });
  }

  /** Those that hold an item. */
  async listNamespaces(options: ListNamespacesOptions = {}): Promise<string[][]> {
    const { prefix, suffix, maxDepth, limit = 100, offset = 0 } = options;
    const matchConditions = [
      ...(prefix === undefined ? [] : [{ matchType: "prefix" as const, path: prefix }]),
      ...(suffix === undefined ? [] : [{ matchType: "suffix" as const, path: suffix }]),
    ];
    return this.#listNamespaces({ matchConditions, limit, offset, ...(maxDepth === undefined ? {} : { maxDepth }) });
  }

  /** Nothing to start: the memory is open. */
  start(): void {}

  /** Nothing to stop: whoever opened the memory closes it. */
  stop(): void {}

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    if (namespace.length === 0) return null;
    const [entry] = await orElse(this.personOf(namespace).history({ ids: [idOf(key)] }), []);
    return entry === undefined ? null : readItem(entry, namespace);
  }

  async #change(put: PutOperation): Promise<void> {
    const person = this.personOf(put.namespace);
    const id = idOf(put.key);
    if (put.value === null) await orElse(person.forget(id), null);
    else await putItem(person, id, contentOf(put, id));
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    return selectNamespaces(await this.#namespaces([]), operation);
  }

  async #namespaces(prefix: readonly string[]): Promise<string[][]> {
    const namespaces: string[][] = [];
    for await (const person of this.#mnemosyne.persons({ limit: pageSize })) {
      const namespace = namespaceOf(person);
      if (namespace !== null && isBelow(namespace, prefix)) namespaces.push(namespace);
    }
    return namespaces;
  }

  async #search({ namespacePrefix, filter, query, limit = 10, offset = 0 }: SearchOperation): Promise<SearchItem[]> {
    const namespaces = await this.#namespaces(namespacePrefix);
    const isByMeaning = query !== undefined && query.trim() !== "";
    const countMax = isByMeaning ? Infinity : offset + limit;
    const found: FoundItem[] = [];
    for (const namespace of namespaces) {
      if (found.length >= countMax) break;
      found.push(...(await this.#passing(namespace, filter, countMax - found.length)));
    }
    const ordered = isByMeaning ? await this.#rank(namespaces, found, query, filter !== undefined) : found;
    return ordered.slice(offset, offset + limit).map(({ item, score }) => ({ ...item, score }) as SearchItem);
  }

  async #passing(namespace: string[], filter: SearchOptions["filter"], countMax: number): Promise<FoundItem[]> {
    const found: FoundItem[] = [];
    try {
      for await (const entry of this.personOf(namespace).history({ limit: pageSize })) {
        const item = readItem(entry, namespace);
        if (item !== null && passesFilter(item.value, filter)) found.push({ id: entry.id, item });
        if (found.length >= countMax) break;
      }
    } catch (error) {
      // Somebody has deleted the last item of the namespace in the meantime.
      if (!(error instanceof MnemosyneError && error.code === "unknown_person")) throw error;
    }
    return found;
  }

  /** What a recall finds, best first, then the others in their order, without a score. */
  async #rank(
    namespaces: readonly string[][],
    found: readonly FoundItem[],
    query: string,
    isFiltered: boolean,
  ): Promise<FoundItem[]> {
    const scores = new Map<string, number>();
    for (const namespace of namespaces) {
      const ids = found.filter(({ item }) => isSame(item.namespace, namespace)).map(({ id }) => id);
      if (ids.length === 0) continue;
      const person = this.personOf(namespace);
      await person.settled();
      const { memories } = await person.recall(query, { limit: ids.length, filter: filterOf(isFiltered ? ids : []) });
      for (const { id, score } of memories) scores.set(JSON.stringify([namespace, id]), score ?? 0);
    }
    const scored = found.map((entry) => {
      const score = scores.get(JSON.stringify([entry.item.namespace, entry.id]));
      return score === undefined ? entry : { ...entry, score };
    });
    return scored.sort((x, y) => (y.score ?? -1) - (x.score ?? -1));
  }
}

function isSame(x: readonly string[], y: readonly string[]): boolean {
  return x.length === y.length && x.every((label, i) => label === y[i]);
}

/** What is searched by; with ids, only those, in conditions of at most `idCountMax`. */
function filterOf(ids: readonly string[]): MemoryFilter {
  if (ids.length === 0) return { searchable: true };
  const parts: MemoryFilter[] = [];
  for (let i = 0; i < ids.length; i += idCountMax) parts.push({ item: { in: ids.slice(i, i + idCountMax) } });
  return { searchable: true, or: parts };
}

function checkPut(put: PutOperation): void {
  personName(put.namespace);
  idOf(put.key);
  if (put.value !== null) contentOf(put, idOf(put.key));
}

interface ItemContent {
  readonly summary: string;
  readonly metadata: Metadata;
}

function contentOf({ key, value, index }: PutOperation, id: string): ItemContent {
  const text = textOf(value, index);
  const metadata = {
    item: id,
    searchable: text !== "",
    ...packValue({ key, value }, `the item ${JSON.stringify(key)}`),
  };
  return { summary: text === "" ? `item ${id}` : text, metadata };
}

/** Stores the item, or changes the one that is there; what is so already stays as it is. */
async function putItem(person: PersonMemory, id: string, content: ItemContent): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await person.commit({ id, ...content, keep: true });
      return;
    } catch (error) {
      const isThere = error instanceof MnemosyneError && error.code === "id_taken";
      if (!isThere || attempt === attemptCountMax) throw error;
    }
    // Not found: deleted in between, so that it can be committed again.
    if ((await orElse(person.update(id, content), null)) !== null) return;
  }
}

/** Null for what is no item, such as an interaction that was committed to this person directly. */
function readItem({ metadata, acceptedAt, versions }: HistoryItem, namespace: readonly string[]): Item | null {
  if (metadata["item"] === undefined) return null;
  const { key, value } = unpackValue(metadata) as StoredItem;
  const createdAt = new Date(acceptedAt);
  const updatedAt = new Date(versions.at(-1)?.replacedAt ?? acceptedAt);
  return { value, key, namespace: [...namespace], createdAt, updatedAt };
}
