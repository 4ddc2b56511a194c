/** A process killed at any moment of its work, again and again; the next one finds everything. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { filesIn } from "../bytes.mjs";
import { checkBytes } from "../checks.mjs";
import { interactionOf, markOf, numbers } from "../interactions.mjs";

/** Short more often than not: most of what can be interrupted takes milliseconds. */
const killMsMaxes = [10, 60, 60, 300];

/** As many as have no divisor in common with the number of stores, so that in time each comes with each. */
const works = {
  committing,
  committingAtOnce,
  draining,
  talking,
  forgetting,
  importing,
  restoring,
  reembedding,
};

export const kills = {
  kind: "kills",
  stores: ["sqlite", "encrypted", "redis", "redis-encrypted"],
  async run(scene) {
    const names = Object.keys(works);
    await works[names[scene.number % names.length]](scene);
  },
};

/** Starts an actor and kills it after some lines of its work and some milliseconds. */
async function killDuring(scene, acts, { word, countMax }) {
  const actor = scene.start(acts);
  const [count, ms] = [scene.random.between(0, countMax), scene.random.unit() * scene.random.pick(killMsMaxes)];
  await actor.until(({ lines }) => lines.filter((line) => line.word === word).length > count);
  await delay(ms);
  await actor.kill();
  await scene.finish(actor);
  return actor;
}

async function prepare(scene, count, options) {
  const acts = numbers(0, count).map((number) => ["commit", { number, hasId: true }]);
  await scene.perform([["open"], ...acts, ["settle"], ["close"]], options);
}

async function committing(scene) {
  await commitRounds(scene, "try", (list) => list.map((number) => ["commit", { number }]));
}

async function committingAtOnce(scene) {
  await commitRounds(scene, "acknowledged", (list) => [["commitAll", list.map((number) => ({ number }))]]);
}

/** Each process goes on after the last that was submitted: what was not acknowledged may be there or not. */
async function commitRounds(scene, word, actsOf) {
  let next = 0;
  for (let round = 0; round < 5; round++) {
    const acts = actsOf(numbers(next, 14));
    const actor = await killDuring(scene, [["open"], ...acts, ["settle"]], { word, countMax: 13 });
    next = Math.max(next, ...actor.said("try").map((number) => number + 1));
  }
  await scene.look();
}

async function draining(scene) {
  await killDuring(scene, [["open"], ["commitAll", numbers(0, 40).map((number) => ({ number }))], ["settle"]], {
    word: "acknowledged",
    countMax: 38,
  });
  const acts = [["open"], ["recall", question], ["settle"]];
  for (let round = 0; round < 4; round++) await killDuring(scene, acts, { word: "opened", countMax: 0 });
  await scene.look();
}

const question = { person: "ada", question: "How was the garden?" };

async function talking(scene) {
  const turns = numbers(0, 30).map((number) => ({
    number,
    who: number % 2 === 0 ? "user" : "assistant",
    text: `Sentence about the garden of plums, ${markOf(scene.seed, number)}.`,
  }));
  for (const { number, ...turn } of turns)
    scene.expect(number, { mark: markOf(scene.seed, number), person: "ada", turn });
  const acts = [["open"], ["talk", { id: "talk", person: "ada", turns }]];
  for (let round = 0; round < 4; round++) await killDuring(scene, acts, { word: "acknowledged", countMax: 29 });
  await scene.look();
}

async function forgetting(scene) {
  await prepare(scene, 40);
  const waiting = scene.random.shuffle(numbers(0, 30));
  for (let round = 0; round < 4 && waiting.length > 0; round++) {
    const acts = waiting.splice(0, 6).map((number) => ["forget", [number]]);
    await killDuring(scene, [["open"], ...acts], { word: "forgetting", countMax: 5 });
    checkErased(scene, scene.forgotten);
  }
  const look = await scene.look();
  if (look === null) return;
  // What only began to be forgotten is there or gone, and if it is gone then to the last byte.
  const text = JSON.stringify(look);
  checkErased(scene, new Set([...scene.forgetting].filter((mark) => !text.includes(mark))));
}

function checkErased(scene, marks) {
  if (!scene.isRedis) scene.findings.push(...checkBytes(marks, filesIn(scene.path())));
}

async function importing(scene) {
  const entries = numbers(0, 40).map((number) => interactionOf(scene.seed, number, { hasId: true }));
  const lines = entries.map(({ input }) => JSON.stringify(input));
  for (const entry of entries) scene.expect(entry.number, { ...entry, person: "ada" });
  const acts = [["open"], ["importLines", { person: "ada", lines }]];
  for (let round = 0; round < 4; round++) await killDuring(scene, acts, { word: "imported", countMax: 39 });
  const actor = await scene.perform([...acts, ["settle"], ["close"]]);
  if (actor.said("done").length > 0) for (const { mark } of entries) scene.acknowledged.add(mark);
  await scene.look();
}

async function restoring(scene) {
  const file = join(scene.folder, "ada.jsonl");
  await prepare(scene, 40, { open: scene.open("source") });
  await scene.perform([["open"], ["exportTo", { person: "ada", file }], ["close"]], { open: scene.open("source") });
  const acts = [["open"], ["importLines", { person: "ada", file }]];
  for (let round = 0; round < 4; round++) await killDuring(scene, acts, { word: "importing", countMax: 0 });
  const actor = await scene.perform([...acts, ["close"]]);
  const look = await scene.read();
  if (look === null || actor.said("done").length === 0) return;
  const exported = readFileSync(file, "utf8").trimEnd().split("\n");
  const got = look.persons.ada?.exported ?? [];
  if (got.join("\n") !== exported.join("\n")) scene.note("silent", "the restored export is another one");
}

async function reembedding(scene) {
  await prepare(scene, 40);
  const acts = [["reembed", { embedder: "other" }]];
  for (let round = 0; round < 4; round++) await killDuring(scene, acts, { word: "progress", countMax: 39 });
  const actor = await scene.perform(acts);
  if (actor.said("done").length === 0) scene.note("unusable", "re-embedding did not end");
  await scene.look({ open: { ...scene.open(), embedder: "other" } });
}
