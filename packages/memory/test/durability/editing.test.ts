/** An edit is written whole or not at all, and of what an interaction said before nothing is left but its version. */
import { setTimeout as delay } from "node:timers/promises";
import type { MnemosyneOptions, PersonMemory } from "mnemosyne-edge";
import { expect, test } from "vitest";
import { areaReader, at, tell } from "../core/lives.js";
import { startChild } from "./child-process.js";
import { engines } from "./engines.js";
import { exportLines, parseLines } from "./export-lines.js";
import { seededRandom } from "./hashing-embedder.mjs";
import { openMemories } from "./opened-memories.js";
import { ScratchFolder, databaseBytes } from "./scratch-folder.js";

const scratch = new ScratchFolder();

const told = [
  ["qidhome", "I live in Graz, by the qmarkhome bridge."],
  ["qidmoved", "I live in Vienna, near the qmarkmoved market."],
  ["qidallergy", "I am allergic to qmarkallergy."],
  ["qidpinned", "Nobody knows qmarkpinned."],
] as const;

async function remember(options: MnemosyneOptions): Promise<PersonMemory> {
  const parameters = { redundancyThreshold: 10, coreSummaryIntervalCommits: 1_000 };
  const person = (await openMemories({ ...options, reader: areaReader(), parameters })).person("ada");
  for (const [i, [id, text]] of told.entries()) await tell(person, id, text, i + 1);
  await person.pin("qidpinned", "Places and codes");
  await person.coreSummary({ update: true });
  return person;
}

/** Everything that the door tells, without the versions of interactions. */
async function shownOf(person: PersonMemory): Promise<string> {
  const versions = await Promise.all(told.map((_, i) => person.coreSummary({ at: at(i + 1) })));
  const { context, trace } = await person.recall("What is known?", { at: at(20), seed: 1 });
  const exported = parseLines(await exportLines(person));
  const all = [await person.coreSummary(), versions, context, trace, exported];
  return JSON.stringify(all, (name, value: unknown) => (name === "versions" ? undefined : value));
}

async function expectEditedAway(
  person: PersonMemory,
  id: string,
  bytes: () => Promise<string> | string,
): Promise<void> {
  const marker = id.replace("qid", "qmark");
  expect((await person.coreSummary()).text).toContain("qmark");
  expect(await shownOf(person)).toContain(marker);
  await person.update(id, { text: "My brother works with qmarkedited." });
  expect(await shownOf(person)).not.toContain(marker);
  expect((await person.coreSummary()).text).toContain("qmarkedited");
  expect((await person.get(id)).versions).toHaveLength(1);
  expect(await bytes()).toContain(marker);
  expect(await person.check()).toEqual([]);
  await person.forget(id);
  const left = (await bytes()).toLowerCase();
  for (const gone of [marker, "qmarkedited", id]) expect(left).not.toContain(gone);
}

test.each(told.slice(1, 3))("what %s said is only in its version, and gone with it", async (id) => {
  const path = scratch.next();
  const person = await remember({ path });
  await expectEditedAway(person, id, () => databaseBytes(path).toString("latin1"));
});

test("what an edited memory had ended holds again, in the core memory too", async () => {
  const person = await remember({ path: ":memory:" });
  expect((await person.coreSummary()).text).not.toContain("Graz");
  await person.update("qidmoved", { text: "My brother works." });
  const { text } = await person.coreSummary();
  expect(text).toContain("Graz");
  expect(text).not.toContain("Vienna");
});

test.each(engines())(
  "a process killed while it edits in $name leaves the old or the new, never half",
  async (engine) => {
    const open = await engine.next();
    const first = await openMemories(open);
    await first.person("ada").commit({ id: "swans", summary: "Ada counted swans on the lake." }, { wait: true });
    await first.person("ada").commit({ id: "other", summary: "Ada counted geese on the lake." }, { wait: true });
    await first.close();
    const random = seededRandom("edit");
    let known = 0;
    for (let round = 0; round < (engine.name === "SQLite" ? 6 : 3); round++) {
      const child = startChild("editing-child.mjs", { open, person: "ada", id: "swans", from: known, to: 400 });
      const editCount = 1 + Math.floor(random() * 4);
      await child.until(() => child.said("edited").length >= editCount);
      await delay(random() * 20);
      await child.kill();
      const last = Number(child.said("edited").at(-1));
      const memories = await openMemories(open);
      const ada = memories.person("ada");
      const { turns, summary, statements, versions } = await ada.get("swans");
      const [, counted] = /counted (\d+) swans/u.exec(turns[0]!.text)!;
      // The last one that was acknowledged, or the one after it.
      expect([last, last + 1]).toContain(Number(counted));
      expect(summary).toBe(`user: ${turns[0]!.text}`);
      expect(statements.map(({ who, text }) => `${who}: ${text}`)).toEqual([summary]);
      expect(versions).toHaveLength(Number(counted) + 1);
      expect(await ada.check()).toEqual([]);
      await memories.close();
      known = Number(counted) + 1;
    }
  },
);
