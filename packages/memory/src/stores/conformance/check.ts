/** The shape of a check, and the few words in which checks are written. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type ErrorCode, StaleRevisionError, StoreError } from "../../errors.js";
import {
  type ReadSelection,
  type RecordPut,
  type Store,
  type StoreDamage,
  type StoredRecord,
  dueLists,
} from "../store.js";

export interface ConformanceCheck {
  readonly name: string;
  check(openStore: () => Promise<Store>): Promise<void>;
}

export function check(name: string, run: (store: Store) => Promise<void>): ConformanceCheck {
  return {
    name,
    check: async (openStore) => {
      const store = await openStore();
      try {
        await run(store);
      } catch (error) {
        // The first error is the one to be seen.
        await store.close().catch(() => {});
        throw error;
      }
      await store.close();
    },
  };
}

export function should(action: string, actual: unknown, expected: unknown): void {
  try {
    assert.deepEqual(actual, expected);
  } catch (error) {
    const message = `the store should ${action}\n${(error as Error).message}`;
    throw new assert.AssertionError({ message, actual, expected, operator: "deepStrictEqual" });
  }
}

/** A check whose expected value is "true", where the values would say less than the sentence. */
export function shouldHold(action: string, holds: boolean): void {
  if (!holds) throw new assert.AssertionError({ message: `the store should ${action}`, actual: false, expected: true });
}

export async function shouldRefuse(action: string, work: Promise<unknown>, code: ErrorCode): Promise<StoreError> {
  const answer: unknown = await work.then(
    (value) => ({ value }),
    (error: unknown) => error,
  );
  const isExpected = answer instanceof StoreError && answer.code === code;
  if (isExpected && (code !== "store_stale" || answer instanceof StaleRevisionError)) return answer;
  const className = code === "store_stale" ? "StaleRevisionError" : "StoreError";
  const message = `the store should ${action}: by a ${className} with the code ${code}`;
  throw new assert.AssertionError({ message, actual: answer, expected: code, operator: "rejects" });
}

export const ada = "ada";

export function put(id: string, text = `text of ${id}`, more: Partial<RecordPut> = {}): RecordPut {
  return { kind: "note", id, bytes: Buffer.from(text), ...more };
}

export function numbered(count: number, prefix = "n"): RecordPut[] {
  return Array.from({ length: count }, (_, i) => put(`${prefix}${String(i).padStart(5, "0")}`));
}

/** A write on the newest revision. */
export async function change(
  store: Store,
  person: string,
  puts: readonly RecordPut[],
  deletedIds: readonly string[] = [],
): Promise<number> {
  const gone = deletedIds.map((id) => ({ kind: "note", id }));
  return store.write(person, await revisionOf(store, person), { put: puts, delete: gone });
}

export async function revisionOf(store: Store, person: string): Promise<number> {
  return (await read(store, person, { kinds: ["no such kind"] })).revision;
}

export interface Reading {
  readonly revision: number;
  readonly isWhole: boolean;
  readonly records: readonly StoredRecord[];
}

/** All pages of a person on whom nothing else is working. */
export async function read(store: Store, person: string, selection?: ReadSelection): Promise<Reading> {
  const snapshot = await store.read(person, selection);
  const records: StoredRecord[] = [];
  for await (const page of snapshot.pages) {
    should("report no damage where nothing is damaged", page.damage, []);
    records.push(...page.records);
  }
  checkRecords(records, selection?.newestFirst === true);
  return { revision: snapshot.revision, isWhole: snapshot.isWhole, records };
}

const triesMax = 50;

/**
 * Reads while others write. A store may return a record once more on a later page, as it is at a later moment, and it may
 * give up where something was deleted meanwhile: then the reading begins again.
 */
export async function readMoving(
  store: Store,
  selection: ReadSelection = {},
  between: () => Promise<void> = () => Promise.resolve(),
  asked = store.read(ada, selection),
): Promise<{ readonly revision: number; readonly records: ReadonlyMap<string, StoredRecord> }> {
  let snapshot = await asked;
  for (let tries = 0; tries < triesMax; tries++) {
    const records = new Map<string, StoredRecord>();
    const damage: StoreDamage[] = [];
    try {
      for await (const page of snapshot.pages) {
        damage.push(...page.damage);
        for (const record of page.records) {
          const known = records.get(record.id)?.version ?? 0;
          if (record.version > known) records.set(record.id, record);
        }
        await between();
      }
      should("report no damage where nothing is damaged", damage, []);
      return { revision: snapshot.revision, records };
    } catch (error) {
      if (!(error instanceof StaleRevisionError)) throw error;
      snapshot = await store.read(ada, selection);
    }
  }
  throw new assert.AssertionError({ message: `the store should be read within ${triesMax} tries` });
}

function checkRecords(records: readonly StoredRecord[], newestFirst: boolean): void {
  for (const [i, { bytes, place }] of records.entries()) {
    const before = records[i - 1]?.place;
    const isNext = before === undefined || (newestFirst ? place < before : place > before);
    shouldHold(`return records by ${newestFirst ? "falling" : "growing"} places, each once`, isNext);
    shouldHold("return bytes as a Uint8Array", bytes instanceof Uint8Array);
    shouldHold("align bytes to four", bytes.length === 0 || bytes.byteOffset % 4 === 0);
  }
}

/** Records as texts that can be compared and read. */
export function shown(records: readonly (RecordPut | StoredRecord)[]): string[] {
  return records.map(({ kind, id, bytes, due }) => {
    const lists = dueLists.filter((list) => due?.[list] !== undefined).map((list) => ` ${list} ${due?.[list]}`);
    return `${kind}/${id}: ${shownBytes(bytes)}${lists.join("")}`;
  });
}

const shownLengthMax = 100;

function shownBytes(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (text.length <= shownLengthMax) return text.toString("latin1");
  return `${text.length} bytes with the hash ${createHash("sha256").update(text).digest("hex")}`;
}

export function idsOf(records: readonly StoredRecord[]): string[] {
  return records.map(({ id }) => id);
}
