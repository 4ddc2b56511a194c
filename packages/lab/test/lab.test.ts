/** From what is told to the figures, with an embedder of words: systems, contexts and the outcomes of commitments. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
import { afterAll, beforeAll, expect, it } from "vitest";
import { collectContexts } from "../src/answers/packets.js";
import type { Person } from "../src/data/person.js";
import { commitPerson } from "../src/filters/commit-people.js";
import { findLinks } from "../src/filters/links-command.js";
import { type Models, openModels } from "../src/model-cache.js";
import { systemNames } from "../src/systems/systems.js";

const dayMs = 86_400_000;
const startMs = Date.parse("2026-03-02T09:00:00Z");
const texts = [
  "My sister Ana lives in Lyon.",
  "Hello!",
  "I take 5 mg of ramipril every morning.",
  "The doctor raised my ramipril to 10 mg.",
];
const person: Person = {
  id: "ada",
  timeZone: "UTC",
  profile: "general",
  interactions: texts.map((text, i) => ({ id: `i${i}`, atMs: startMs + i * dayMs, turns: [{ who: "user", text }] })),
  questions: [
    {
      id: "q1",
      kind: "now",
      text: "Where does my sister Ana live?",
      atMs: startMs + 9 * dayMs,
      after: 2,
      gold: ["i0"],
      evidence: [["lyon"]],
      answer: "Lyon",
    },
  ],
};
const unchanged = { parameters: {}, isUnread: false };
const folder = mkdtempSync(join(tmpdir(), "mnemosyne-lab-"));
let models: Models;

beforeAll(async () => (models = await openModels({ folder })));
afterAll(async () => {
  await models.close();
  rmSync(folder, { recursive: true, force: true });
});

it("what is committed says what was kept, dropped and which statement ended which, and why", async () => {
  const committed = await commitPerson(person, models, unchanged);
  expect(committed.map(({ outcome }) => outcome)).toEqual(["committed", "discarded", "committed", "committed"]);
  expect(committed[3]!.updates).toEqual(["i2"]);
  expect(committed[3]!.ends).toEqual([{ memory: "i2", position: 0, by: 0 }]);
  expect(committed[3]!.relations.find(({ memory }) => memory === "i2")!.ends).toBeGreaterThan(0.5);
  expect(committed[1]!.statements).toEqual([]);
  const said = new Map(person.interactions.map(({ id, turns }) => [id, turns[0]!.text]));
  expect(findLinks(committed, said)).toMatchObject([
    { kind: "end", olderId: "i2#0", newerId: "i3#0", older: `user: ${texts[2]}`, newer: `user: ${texts[3]}` },
  ]);
});

it("every system answers a question from what was told before it, with the right words in its context", async () => {
  for (const system of systemNames) {
    const [item, ...others] = await collectContexts(person, system, system, models, unchanged);
    expect(others, system).toEqual([]);
    expect(item!.context, system).toContain("Lyon");
    expect(item!.context, system).not.toContain("ramipril");
  }
});

it("a second run asks the model only for what is new", async () => {
  const { embedWords, embedTalk, relatePairs } = BundledEmbedder.prototype;
  await models.close();
  models = await openModels({ folder });
  const asked: string[] = [];
  // `embed` asks for words and takes the vectors.
  BundledEmbedder.prototype.embedWords = function (texts) {
    asked.push(...texts);
    return embedWords.call(this, texts);
  };
  BundledEmbedder.prototype.embedTalk = function (windows) {
    asked.push(...windows.flatMap(({ texts: told }) => told));
    return embedTalk.call(this, windows);
  };
  BundledEmbedder.prototype.relatePairs = function (pairs) {
    asked.push(...pairs.flat());
    return relatePairs.call(this, pairs);
  };
  try {
    await commitPerson(person, models, unchanged);
    expect(asked).toEqual([]);
    const interactions = [{ id: "new", atMs: startMs, turns: [{ who: "user", text: "I moved to Braga in May." }] }];
    await commitPerson({ ...person, interactions }, models, unchanged);
    expect(asked.join("\n")).toContain("Braga");
  } finally {
    Object.assign(BundledEmbedder.prototype, { embedWords, embedTalk, relatePairs });
  }
});
