/** A database that an earlier version wrote still opens, says the same and goes on (see test/fixtures). */
import { copyFileSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { describe, expect, test } from "vitest";
import { exportLines } from "./export-lines.js";
import { frozenKey, interactionAt } from "./laboratory.mjs";
import { openMemories } from "./opened-memories.js";
import { ScratchFolder } from "./scratch-folder.js";

const scratch = new ScratchFolder();
const fixtures = fileURLToPath(new URL("../fixtures/", import.meta.url));
const versions = readdirSync(fixtures)
  .map((name) => /^schema-(\d+)\.db$/u.exec(name)?.[1])
  .filter((version) => version !== undefined)
  .map(Number);

test("there is one for every version up to the current one", async () => {
  const { schemaVersion } = await (await openMemories({ path: scratch.next() })).describe().then(({ store }) => store);
  expect(versions.toSorted((x, y) => x - y)).toEqual(Array.from({ length: schemaVersion }, (_, i) => i + 1));
});

const files = versions.flatMap((version) => [
  { name: `schema-${version}`, options: {} },
  { name: `schema-${version}-encrypted`, options: { encryptionKey: frozenKey } },
]);

describe.each(files)("$name", ({ name, options }) => {
  function copy(): string {
    const path = scratch.next();
    copyFileSync(`${fixtures}${name}.db`, path);
    return path;
  }

  function openCopy(): Promise<SqliteStore> {
    return SqliteStore.open({ path: copy(), ...options });
  }

  test("opens, is sound and says the same", async () => {
    const store = await openCopy();
    expect(await store.damage()).toEqual([]);
    const memories = await openMemories({ store });
    expect(await memories.persons()).toEqual(["Zoë", "bea"]);
    const memory = memories.person("Zoë");
    expect(await exportLines(memory)).toEqual(readFileSync(`${fixtures}${name}.jsonl`, "utf8").trimEnd().split("\n"));
    expect(await memory.check()).toEqual([]);
    const { outcomes } = await memory.statistics();
    expect(Object.keys(outcomes).sort()).toEqual(["committed", "discarded", "open", "paired", "pruned", "replaced"]);
  });

  test("answers, goes on and forgets", async () => {
    const memories = await openMemories({ store: await openCopy() });
    const memory = memories.person("Zoë");
    const [oldest] = await memory.list();
    const { memories: found } = await memory.recall(oldest!.summary, { seed: 1 });
    expect(found.map(({ id }) => id)).toContain(oldest!.id);
    await memory.commit(interactionAt(40));
    const conversation = await memory.conversation({ id: "a talk" });
    expect(conversation.turns).toEqual([{ who: "user", text: "The plums are ripe, naïve as it sounds: 漢字 🧠." }]);
    await conversation.end();
    await memory.settled();
    const ids = (await memory.list()).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["i040", "a talk", oldest!.id]));
    expect((await memory.forget(oldest!.id)).removed.memories).toBe(1);
    const [discarded] = await memory.history({ outcomes: ["discarded"] });
    await memory.restore(discarded!.id);
    await memory.settled();
    expect(await memory.check()).toEqual([]);
    await memories.person("bea").forgetAll();
    expect(await memories.persons()).toEqual(["Zoë"]);
  });

  test("says the same when it is opened again, with rows of now next to those of then", async () => {
    const path = copy();
    const first = await openMemories({ path, ...options });
    const memory = first.person("Zoë");
    const [oldest] = await memory.list();
    await memory.commit(interactionAt(40));
    await memory.settled();
    await memory.pin(oldest!.id, "home");
    const recall = await memory.recall(oldest!.summary, { seed: 1 });
    const lines = await exportLines(memory);
    await first.close();

    const store = await SqliteStore.open({ path, ...options });
    expect(await store.damage()).toEqual([]);
    const again = (await openMemories({ store })).person("Zoë");
    expect((await again.recall(oldest!.summary, { seed: 1 })).context).toBe(recall.context);
    expect(await exportLines(again)).toEqual(lines);
    expect(await again.check()).toEqual([]);
  });
});
