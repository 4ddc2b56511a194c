/** What a person's records say of each other: what does not fit is named, and a memory that is used never seems damaged. */
import type { Mnemosyne } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { describe, expect, it } from "vitest";
import { packEntry, unpackEntry } from "../../../src/engine/records/interaction-record.js";
import type { DamagedPart } from "../../../src/engine/records/opened-store.js";
import { Records } from "../../../src/engine/records/records.js";
import { readMoment } from "../../../src/upkeep/transfer/person-moment.js";
import { Codec } from "../../../src/stores/codec.js";
import type { RecordChange, StoredRecord } from "../../../src/stores/store.js";
import { discardEverything, interactionAt } from "../../durability/laboratory.mjs";
import { openMemories } from "../../durability/opened-memories.js";
import { ScratchFolder } from "../../durability/scratch-folder.js";

const scratch = new ScratchFolder();
const codec = new Codec();

class LastingStore extends MemoryStore {
  override async close(): Promise<void> {}
}

/** A few memories, and one interaction that nobody has processed yet. */
async function fill(store: LastingStore): Promise<Mnemosyne> {
  const memories = await openMemories({ store });
  for (let position = 0; position < 5; position++) await memories.person("ada").commit(interactionAt(position));
  await memories.settled();
  const records = await Records.open(store, codec);
  const [entry] = await records.history("ada", { limit: 1 });
  await records.accept("ada", { ...entry!.interaction, id: "waits", expiresMs: 9e15 }, "queued");
  return memories;
}

/** Replaces records of an interaction behind the engine's back; null deletes one. */
async function alter(
  store: LastingStore,
  id: string,
  rewrite: (record: StoredRecord) => RecordChange["put"] | null,
): Promise<void> {
  const snapshot = await store.read("ada", { ids: [id] });
  for await (const { records } of snapshot.pages) {
    const put = records.flatMap((record) => rewrite(record) ?? []);
    const gone = records.filter((record) => rewrite(record) === null);
    await store.write("ada", snapshot.revision, { put, delete: gone });
  }
}

const bare = ({ kind, id, bytes }: StoredRecord): RecordChange["put"] => [{ kind, id, bytes }];

describe("records that do not fit are named once, by everything that needs all of a person:", () => {
  it.each<[string, string, string, (record: StoredRecord) => RecordChange["put"] | null]>([
    ["a memory that is missing", "i004", "the memory is missing", ({ kind }) => (kind === "interaction" ? [] : null)],
    ["its content that is missing", "i004", "the memory is missing", ({ kind }) => (kind === "memory" ? null : [])],
    [
      "links that are missing",
      "i002",
      "the memory's record of links is missing",
      ({ kind }) => (kind === "links" ? null : []),
    ],
    [
      "an interaction that is missing",
      "i002",
      "the interaction is missing",
      ({ kind }) => (kind === "interaction" ? null : []),
    ],
    ["work that nobody would find", "waits", "the interaction is not on its lists", bare],
    [
      "an expiry that nobody would find",
      "waits",
      "the interaction is not on its lists",
      (record) => [{ ...bare(record)![0]!, due: { queue: 0 } }],
    ],
    [
      "work that is done and would be found",
      "waits",
      "the interaction is not on its lists",
      (record) => [{ ...record, bytes: discarded(record), due: { queue: 0, expiry: 9e15 } }],
    ],
  ])("%s", async (_, id, part, rewrite) => {
    const store = new LastingStore();
    const ada = (await fill(store)).person("ada");
    const records = await Records.open(store, codec);
    await expect(readMoment("ada", records)).resolves.toBeDefined();
    await alter(store, id, rewrite);
    const message = `"ada", ${JSON.stringify(id)}: ${part}`;
    await expect(readMoment("ada", records)).rejects.toMatchObject({
      code: "store_damaged",
      message: expect.stringContaining(message) as string,
    });
    const damage: DamagedPart[] = [];
    await readMoment("ada", records, (each) => void damage.push(each));
    expect(damage).toEqual([{ person: "ada", id, part }]);
    expect(await ada.check()).toEqual([message]);
  });
});

function discarded({ kind, id, bytes }: StoredRecord): Uint8Array {
  const entry = unpackEntry(id, codec.decode("ada", { kind, id }, bytes)!);
  return codec.encode("ada", { kind, id }, packEntry({ ...entry, outcome: "discarded" }));
}

it.each([
  ["memory", async () => new LastingStore()],
  ["SQLite", () => SqliteStore.open({ path: scratch.next() })],
])("nothing seems damaged in a memory that is used: %s", { timeout: 60_000 }, async (_, open) => {
  const store = await open();
  const reader = await Records.open(store, codec);
  const seen = new Set<string>();
  const look = async (): Promise<void> => {
    const damage: DamagedPart[] = [];
    const { entries } = await readMoment("ada", reader, (each) => void damage.push(each));
    for (const { outcome } of entries) seen.add(outcome);
    expect(damage).toEqual([]);
  };
  const memories = await openMemories({ store });
  const ada = memories.person("ada");
  let isWorking = true;
  const looking = (async () => {
    while (isWorking) {
      await look();
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  try {
    for (let position = 0; position < 24; position++) await ada.commit(interactionAt(position));
    await ada.settled();
    await ada.prune({ memoryCountMax: 12 });
    const [pruned] = await ada.history({ outcomes: ["pruned"] });
    await ada.restore(pruned!.id);
    await ada.settled();
    const [first, second] = await ada.list();
    await ada.forget(first!.id);
    await ada.commit({ ...interactionAt(30), keep: true, updates: second!.id });
    await ada.commit({ ...interactionAt(31), keep: true, expiresAt: "2900-01-01T00:00:00Z" });
    await ada.settled();
    for (const id of ["i031", second!.id, pruned!.id]) await ada.update(id, { text: `Other words for ${id}.` });
    await ada.update("i031", { expiresAt: null });
    await ada.update(pruned!.id, { expiresAt: "2901-01-01T00:00:00Z" });
    const [replaced] = await ada.history({ outcomes: ["replaced"] });
    if (replaced !== undefined) await ada.restore(replaced.id);
    await ada.settled();
    const talk = await ada.conversation({ id: "a talk", expiresAt: "2900-01-01T00:00:00Z" });
    await talk.add({ who: "user", text: "The plums are ripe." });
    await look();
    await talk.end();
    await ada.settled();
    const discarding = await openMemories({ store: withoutClose(store), parameters: discardEverything });
    await discarding.person("ada").commit(interactionAt(61));
    await discarding.settled();
    await look();
  } finally {
    isWorking = false;
    await looking;
  }
  expect(await ada.check()).toEqual([]);
  expect([...seen].sort()).toEqual(["committed", "discarded", "open", "paired", "pruned", "queued", "replaced"]);
});

function withoutClose<Opened extends MemoryStore | SqliteStore>(store: Opened): Opened {
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name === "close") return async () => {};
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
  });
}
