/** The long random test itself: it counts every fault that is planted, none where there is none, and plans by its seed. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Mnemosyne, type PersonMemory, type RecordChange, type StoredRecord } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { expect, test } from "vitest";
import { laboratory } from "../../../memory/test/durability/laboratory.mjs";

/** Parts of the test have no types: they are read as data. */
const part = (name: string) => import(new URL(name, import.meta.url).href);
const { ActorProcess } = await part("actor-process.mjs");
const { checkBytes, checkDamaged, checkEnd, checkLook } = await part("checks.mjs");
const { contentOf, editOf, interactionOf, numbers } = await part("interactions.mjs");
const { Ledger } = await part("ledger.mjs");
const { parseSeed, planOf, scenarioOf } = await part("plan.mjs");
const { readEverything } = await part("reading.mjs");
const { Tally, faults } = await part("tally.mjs");

interface Told {
  readonly mark: string;
  readonly person: string;
  readonly input: { readonly id: string; readonly summary: string };
}

interface Fault {
  readonly in?: (change: RecordChange) => RecordChange;
  readonly out?: (record: StoredRecord) => StoredRecord[];
}

const told: Told[] = numbers(0, 9).map((number: number) => interactionOf("a seed", number, { hasId: true }));
const [edited, pinned, , forgotten, last] = told as [Told, Told, Told, Told, Told];
const faultsOf = (findings: { fault: string }[]): string[] => [...new Set(findings.map(({ fault }) => fault))];

/** Alters records on the way in or out. */
class FaultyStore extends MemoryStore {
  readonly #fault: Fault;

  constructor(fault: Fault) {
    super();
    this.#fault = fault;
  }

  override async read(...args: Parameters<MemoryStore["read"]>) {
    const { pages, ...snapshot } = await super.read(...args);
    const alter = this.#fault.out ?? ((record) => [record]);
    const altered = (async function* altered() {
      for await (const { records, damage } of pages) yield { records: records.flatMap(alter), damage };
    })();
    return { ...snapshot, pages: altered };
  }

  override async write(name: string, base: never, change: RecordChange): Promise<number> {
    return super.write(name, base, this.#fault.in?.(change) ?? change);
  }
}

/** Commits, edits, pins and forgets, and checks what a later process finds. */
async function trial(fault: Fault): Promise<string[]> {
  const store = new FaultyStore(fault);
  const memories = await Mnemosyne.open(laboratory({ store }));
  const ledger = new Ledger();
  let ms = 0;
  const attempt = async (
    { mark, person, input }: Told,
    register: string,
    value: unknown,
    work: (memory: PersonMemory, id: string) => Promise<unknown>,
  ) => {
    const name = String(++ms);
    ledger.begin({ attempt: name, mark, register, value }, ms);
    await work(memories.person(person), input.id);
    ledger.acknowledge(name, ++ms);
  };
  for (const one of told) await attempt(one, "content", contentOf(one), (memory) => memory.commit(one.input));
  await memories.settled();
  const text = editOf("a seed", 0, 1);
  const value = { person: edited.person, turns: [{ who: "user", text }] };
  await attempt(edited, "content", value, (memory, id) => memory.update(id, { text }));
  await attempt(pinned, "pinned", true, (memory, id) => memory.pin(id));
  await attempt(forgotten, "content", null, (memory, id) => memory.forget(id));
  const look = await readEverything(await Mnemosyne.open(laboratory({ store })));
  return faultsOf(checkLook({ expected: ledger.expected(), look }));
}

type Key = Pick<StoredRecord, "kind" | "id" | "bytes">;
const without = (isLeftOut: (record: Key) => boolean): Fault => ({
  in: ({ put = [], ...change }) => ({ ...change, put: put.filter((record) => !isLeftOut(record)) }),
});
const isLast = ({ kind, id }: Key): boolean => kind === "interaction" && id === last.input.id;
const says = ({ bytes }: Key, words: string): boolean => Buffer.from(bytes).includes(words);
const isPin = (record: Key): boolean =>
  record.kind === "links" && record.id === pinned.input.id && !says(record, "[null,null,null,null,null,");

test.each<[string, Fault, string[]]>([
  ["an honest store", {}, []],
  ["an acknowledged one that is not stored", without(isLast), ["lost"]],
  ["one that is there twice", { out: (record) => (isLast(record) ? [record, record] : [record]) }, ["doubled"]],
  ["an edit that is not stored", without((record) => says(record, "for the 2. time")), ["silent"]],
  ["a pin that is not stored", without(isPin), ["lost"]],
  ["a forgotten one that stays", { in: ({ put = [] }) => ({ put }) }, ["kept"]],
])("%s", async (_, fault, [expected]) => {
  const found = await trial(fault);
  if (expected === undefined) expect(found).toEqual([]);
  else expect(found).toContain(expected);
});

test("what was not acknowledged is old or new, and forgotten only when that was acknowledged", () => {
  const ledger = new Ledger();
  const contents = (ms?: number) => ledger.expected(ms)[0].contents;
  ledger.begin({ attempt: "1", mark: "m", register: "content", value: "old" }, 1);
  expect(contents()).toEqual([null, "old"]);
  ledger.acknowledge("1", 2);
  ledger.begin({ attempt: "2", mark: "m", register: "content", value: "new" }, 3);
  expect(contents()).toEqual(["old", "new"]);
  ledger.begin({ attempt: "3", mark: "m", register: "content", value: null }, 5);
  expect(ledger.forgotten()).toEqual([]);
  ledger.acknowledge("3", 6);
  expect([ledger.forgotten(), ledger.forgotten(6), contents(6)]).toEqual([["m"], [], ["old", "new", null]]);
  expect(faultsOf(checkBytes(ledger.forgotten(), Buffer.from("\0m\0")))).toEqual(["kept"]);
});

test("a damaged answer that nothing names", () => {
  const whole = { ways: { history: { answer: ["a"] }, links: { answer: [] } }, named: [] };
  const damaged = (history: object, named: string[] = []) =>
    faultsOf(checkDamaged(whole, { ways: { history }, named }));
  expect(damaged({ answer: ["a"] })).toEqual([]);
  expect([damaged({ code: "store_damaged" }), damaged({ answer: [] }, ["a"])]).toEqual([[], []]);
  expect([damaged({ answer: [] }), damaged({ code: "unknown_person" })]).toEqual([["silent"], ["silent"]]);
  expect(damaged({ raw: "TypeError" }, ["a"])).toEqual(["raw"]);
});

test("the end of a process", async () => {
  const actor = new ActorProcess({}, () => [process.execPath, ["-e", "process.abort()"]]);
  expect(faultsOf(checkEnd({ ...actor, ...(await actor.ended) }))).toEqual(["aborts"]);
  const normal = { code: 0, signal: null, errors: "", isEndedByUs: false, hasHung: false };
  const ends = [{}, { isEndedByUs: true, signal: "SIGKILL" }, { code: 134 }, { code: 1 }, { hasHung: true }];
  const found = ends.map((end) => faultsOf(checkEnd({ ...normal, ...end })));
  expect(found).toEqual([[], [], ["aborts"], ["raw"], ["hangs"]]);
});

test("the tally is clean without any fault", () => {
  const scene = { kind: "kills", store: "sqlite", acknowledged: new Set(["a", "b", "c"]), refusedCount: 1 };
  for (const fault of [null, ...Object.keys(faults)]) {
    const tally = new Tally();
    for (const findings of [[], fault === null ? [] : [{ fault, what: "planted" }]]) tally.add({ ...scene, findings });
    expect(tally.isClean).toBe(fault === null);
    expect(tally.format()).toMatch(/kills sqlite +2 +6 +2 /u);
  }
});

test("the plan has each scenario again by its seed alone", () => {
  const kinds = [{ kind: "kills", stores: ["sqlite", "redis"] }];
  const plan = planOf(kinds, "1");
  const { seed, number } = parseSeed("1.3");
  expect(numbers(0, 9).map(() => plan.next().value)).toContainEqual(scenarioOf(kinds[0], seed, number));
  expect(interactionOf("1.3", 5).mark).not.toBe(interactionOf("1.4", 5).mark);
  expect(() => parseSeed("one")).toThrow(RangeError);
});

test("a minute of faults finds nothing", { timeout: 600_000 }, () => {
  const run = [fileURLToPath(new URL("run.mjs", import.meta.url)), "--minutes", "1", "--seed", "1"];
  const env = { ...process.env, MNEMOSYNE_TEST_BUILD: "kept" };
  const { status, stdout, stderr } = spawnSync(process.execPath, run, { env, encoding: "utf8" });
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/^all +[1-9]/mu);
});
