/**
 * Random operations on the store and on the store in memory, which is the model: after each of them both must say the same.
 * Versions, places and revisions are numbers of the store's own choice; only their order is compared, and where one is
 * named to a store, it is the one that this store gave.
 */
import { createRandom, type Random } from "../../text/random.js";
import { StaleRevisionError } from "../../errors.js";
import { MemoryStore } from "../memory/store.js";
import { type DuePerson, type ReadSelection, type RecordKey, type RecordPut, type Store, dueLists } from "../store.js";
import { type ConformanceCheck, type Reading, check, idsOf, read, should, shown } from "./check.js";

const seeds = ["one", "two", "three"];
const operationCount = 150;
const persons = ["ada", "bea", ""];
const kinds = ["one", "two", "three"];
const ids = ["a", "b", "c", "d", "é", "{e}", "f:g", ""];
const greatestDue = 9;

/** The same number of both stores. */
interface Pair {
  readonly model: number;
  readonly store: number;
}

/** What both stores have said of a person. */
interface Known {
  /** The newest is the last. */
  readonly revisions: Pair[];
  /** Of every version that there ever was. */
  readonly versions: Pair[];
  /** As they are now. */
  records: readonly (RecordKey & { readonly version: Pair; readonly place: Pair })[];
}

export const randomChecks: readonly ConformanceCheck[] = seeds.map((seed) =>
  check(`after any operations it is as the store in memory is (seed "${seed}")`, async (store) => {
    const model = new MemoryStore();
    const random = createRandom(seed);
    const known = new Map<string, Known>(
      persons.map((person) => [person, { revisions: [{ model: 0, store: 0 }], versions: [], records: [] }]),
    );
    for (let n = 1; n <= operationCount; n++) {
      const person = pick(random, persons);
      const name = `after operation ${n} of the seed "${seed}"`;
      const operation = await operate(random, person, known.get(person)!, model, store, name);
      await compare(random, person, known.get(person)!, model, store, `${name}, ${operation}`);
    }
    should(`be whole after the operations of the seed "${seed}"`, await store.damage(), []);
  }),
);

/** Does one operation on both stores; returns it in words. */
async function operate(
  random: Random,
  person: string,
  known: Known,
  model: Store,
  store: Store,
  name: string,
): Promise<string> {
  if (random() < 0.05) {
    should(`erase as many records ${name}`, await store.erase(person), await model.erase(person));
    return `erase(${JSON.stringify(person)})`;
  }
  const puts = makePuts(random, known);
  const named = new Set(puts.map(keyOf));
  const gone = known.records.filter((record) => random() < 0.1 && !named.has(keyOf(record)));
  // A store may take the deletion of nothing for one of something.
  if (gone.length > 0) gone.push({ ...gone[0]!, id: "unknown" });
  const base = random() < 0.4 ? null : random() < 0.8 ? known.revisions.at(-1)! : pick(random, known.revisions);
  const writeTo = (side: keyof Pair): Promise<number | "null" | "stale"> =>
    answerOf(
      (side === "model" ? model : store).write(person, base?.[side] ?? null, {
        put: puts.map(({ record, was }) => (was === undefined ? record : { ...record, was: was[side] })),
        delete: gone.map(({ kind, id }) => ({ kind, id })),
      }),
    );
  const [expected, answer] = [await writeTo("model"), await writeTo("store")];
  const wases = puts.map(({ record, was }) => `${shown([record])[0]}${was === undefined ? "" : ` was ${was.store}`}`);
  const operation = `write(${JSON.stringify([person, base?.store ?? null, wases, gone.map(keyOf)])})`;
  const outcome = (value: number | string): unknown =>
    typeof value === "string" || value === 0 ? value : "a revision";
  should(`answer alike ${name}, ${operation}`, outcome(answer), outcome(expected));
  return operation;
}

interface PutOfBoth {
  readonly kind: string;
  readonly id: string;
  readonly record: RecordPut;
  readonly was: Pair | undefined;
}

function makePuts(random: Random, known: Known): PutOfBoth[] {
  const puts = new Map<string, PutOfBoth>();
  const count = Math.floor(random() * 5);
  const hasConditions = random() < 0.4;
  for (let i = 0; i < count; i++) {
    const [kind, id] = [pick(random, kinds), pick(random, ids)];
    const bytes = Uint8Array.from({ length: Math.floor(random() * 12) }, () => Math.floor(random() * 256));
    const due = Object.fromEntries(
      dueLists.flatMap((list) => (random() < 0.3 ? [[list, Math.floor(random() * (greatestDue + 1))]] : [])),
    );
    const current = known.records.find((record) => record.kind === kind && record.id === id)?.version;
    const fitting = current ?? { model: 0, store: 0 };
    const others = [{ model: 0, store: 0 }, ...known.versions];
    const was = random() < 0.85 ? fitting : pick(random, others);
    const record = { kind, id, bytes, ...(Object.keys(due).length > 0 && { due }) };
    puts.set(keyOf({ kind, id }), { kind, id, record, was: hasConditions && random() < 0.7 ? was : undefined });
  }
  return [...puts.values()];
}

async function answerOf(work: Promise<number | null>): Promise<number | "null" | "stale"> {
  try {
    return (await work) ?? "null";
  } catch (error) {
    if (error instanceof StaleRevisionError) return "stale";
    throw error;
  }
}

/** Reads everything of a person from both, and a part of everything else. */
async function compare(
  random: Random,
  person: string,
  known: Known,
  model: Store,
  store: Store,
  after: string,
): Promise<void> {
  const [expected, whole] = [await read(model, person), await read(store, person)];
  sameReading(`return the same records ${after}`, whole, expected);
  const bothOf = (name: "place" | "version"): Pair[] =>
    expected.records.map((record, i) => ({ model: record[name], store: whole.records[i]![name] }));
  const [places, versions] = [bothOf("place"), bothOf("version")];
  const revision = { model: expected.revision, store: whole.revision };
  sameOrder(`give versions in the same order ${after}`, [...known.versions, ...versions]);
  sameOrder(`give the revision its place among all before ${after}`, [...known.revisions, revision]);
  known.records = expected.records.map(({ kind, id }, i) => ({ kind, id, place: places[i]!, version: versions[i]! }));
  known.versions.push(...versions.filter(({ model: each }) => !known.versions.some((pair) => pair.model === each)));
  known.revisions.push(revision);

  const { shape, since, place } = makeSelection(random, known);
  const selectionOf = (side: keyof Pair): ReadSelection => ({
    ...shape,
    ...(since !== undefined && { since: since[side] }),
    ...(place !== undefined && { after: place[side] }),
  });
  const part = await read(store, person, selectionOf("store"));
  const action = `answer read(${JSON.stringify([person, selectionOf("store")])}) alike ${after}`;
  sameReading(action, part, await read(model, person, selectionOf("model")));

  const page = { after: pick(random, ["", ...persons, "b"]), limit: Math.floor(random() * 4) };
  should(`list the same persons ${after}`, await store.persons(), await model.persons());
  should(
    `list the same persons for ${JSON.stringify(page)} ${after}`,
    await store.persons(page),
    await model.persons(page),
  );
  const list = pick(random, dueLists);
  const one = random() < 0.3 ? { person: pick(random, persons) } : {};
  const selection = { before: Math.floor(random() * greatestDue), limit: Math.floor(random() * 4), ...one };
  const due = `list the same persons due for ${JSON.stringify([list, selection])} ${after}`;
  await sameDue(
    due,
    await store.due(list, selection),
    await model.due(list, { ...selection, limit: 9 }),
    selection.limit,
  );
}

function makeSelection(random: Random, known: Known): { shape: ReadSelection; since?: Pair; place?: Pair } {
  const some = (texts: readonly string[]): string[] => texts.filter(() => random() < 0.5);
  const shape: ReadSelection = {
    ...(random() < 0.3 && { kinds: some(kinds) }),
    ...(random() < 0.3 && { ids: some(ids) }),
    ...(random() < 0.2 && { due: pick(random, dueLists) }),
    ...(random() < 0.3 && { newestFirst: random() < 0.7 }),
    ...(random() < 0.3 && { limit: Math.floor(random() * 6) }),
  };
  const [revision, record] = [pick(random, known.revisions), pick(random, known.records)];
  return {
    shape,
    // An unknown person's revision is 0, since which a store may return all of somebody as a difference, or as a whole.
    ...(random() < 0.5 && revision.model > 0 && { since: revision }),
    ...(random() < 0.2 && record !== undefined && { place: record.place }),
  };
}

function sameReading(action: string, { revision, isWhole, records }: Reading, expected: Reading): void {
  should(`${action}: the records`, shown(records), shown(expected.records));
  should(`${action}: the ids`, idsOf(records), idsOf(expected.records));
  should(`${action}: whether it is whole`, isWhole, expected.isWhole);
  should(`${action}: whether there is a revision`, revision > 0, expected.revision > 0);
}

/** Whether numbers of both stores are equal, smaller and greater in the same places; 0 is nobody's revision. */
function sameOrder(action: string, pairs: readonly Pair[]): void {
  const counted = pairs.filter(({ model }) => model > 0);
  const ranks = (side: keyof Pair): number[] => {
    const sorted = [...new Set(counted.map((pair) => pair[side]))].sort((x, y) => x - y);
    const rankOf = new Map(sorted.map((value, rank) => [value, rank]));
    return counted.map((pair) => rankOf.get(pair[side])!);
  };
  should(action, ranks("store"), ranks("model"));
}

/** Persons with the same number are in any order. */
function sameDue(action: string, found: readonly DuePerson[], all: readonly DuePerson[], limit: number): void {
  const numbers = (list: readonly DuePerson[]): number[] => list.map(({ at }) => at);
  should(action, numbers(found), numbers(all.slice(0, limit)));
  for (const each of found)
    should(
      action,
      each,
      all.find(({ person }) => person === each.person),
    );
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

function keyOf({ kind, id }: RecordKey): string {
  return JSON.stringify([kind, id]);
}
