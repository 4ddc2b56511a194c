/** A process killed at any moment of its work, again and again; the next one finds everything. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { interactionOf, numbers } from "../interactions.mjs";
import { livingActs, question, turnsOf } from "../living.mjs";
import { allStores } from "../servers.mjs";

/** Short more often than not: most of what can be interrupted takes milliseconds. */
const killMsMaxes = [10, 60, 60, 300];

export const kills = {
  kind: "kills",
  stores: allStores,
  async run(scene) {
    const names = Object.keys(works);
    const options = await works[names[scene.number % names.length]](scene);
    await scene.look(options);
  },
};

/** As many as have no divisor in common with the number of stores, so that in time each comes with each. */
const works = {
  committing: (scene) => commitRounds(scene, "try", (list) => list.map((number) => ["commit", { number }])),
  committingAtOnce: (scene) =>
    commitRounds(scene, "acknowledged", (list) => [["commitAll", list.map((number) => ({ number }))]]),
  async draining(scene) {
    const commits = ["commitAll", numbers(0, 40).map((number) => ({ number }))];
    await killDuring(scene, [["open"], commits, ["settle"]], { word: "acknowledged", countMax: 38 });
    await killAgain(scene, () => [["recall", question], ["settle"]], { word: "opened", countMax: 0 });
  },
  async talking(scene) {
    const turns = turnsOf(scene.seed, 0, 30);
    const talk = ["talk", { id: "talk", person: "ada", turns }];
    await killAgain(scene, () => [talk], { word: "acknowledged", countMax: 29 });
  },
  async forgetting(scene) {
    await prepare(scene, 40);
    const waiting = scene.random.shuffle(numbers(0, 30));
    const actsOf = (round) => waiting.slice(round * 6, round * 6 + 6).map((number) => ["forget", [number]]);
    await killAgain(scene, actsOf, { word: "try", countMax: 5 }, () => scene.checkErased());
  },
  async importing(scene) {
    const told = numbers(0, 40).map((number) => interactionOf(scene.seed, number, { hasId: true }));
    const entries = told.map((entry) => ({ ...entry, person: "ada" }));
    const lines = ["importLines", { person: "ada", entries }];
    await killAgain(scene, () => [lines], { word: "imported", countMax: 39 });
    await scene.perform([["open"], lines, ["settle"], ["close"]]);
  },
  async restoring(scene) {
    const file = join(scene.folder, "ada.jsonl");
    const source = { open: scene.open("source") };
    await prepare(scene, 40, source);
    await scene.perform([["open"], ["exportTo", { person: "ada", file }], ["close"]], source);
    const lines = ["importLines", { person: "ada", file }];
    await killAgain(scene, () => [lines], { word: "importing", countMax: 0 });
    const actor = await scene.perform([["open"], lines, ["close"]]);
    const look = await scene.read();
    if (look === null || actor.said("done").length === 0) return source;
    const exported = readFileSync(file, "utf8").trimEnd();
    const got = look.persons.ada?.exported ?? [];
    if (got.join("\n") !== exported) scene.note("silent", "the restored export is another one");
    return source;
  },
  async reembedding(scene) {
    await prepare(scene, 40);
    const acts = [["reembed", { embedder: "other" }]];
    for (let round = 0; round < 4; round++) await killDuring(scene, acts, { word: "progress", countMax: 39 });
    const actor = await scene.perform(acts);
    if (actor.said("done").length === 0) scene.note("unusable", "re-embedding did not end");
    return { open: { ...scene.open(), embedder: "other" } };
  },
  /** Everything that can be done to a memory, and each life goes on where the one before was killed. */
  async living(scene) {
    const actsOf = (round) => livingActs(scene, { first: round * 30, count: 24, name: `life-${round}` });
    await killAgain(scene, actsOf, { word: "try", countMax: 40 });
  },
  async backingUp(scene) {
    await prepare(scene, 30);
    const fileOf = (round) => join(scene.folder, `copy-${round}.db`);
    const changes = (number) => [
      ["forget", [number]],
      ["edit", { number: number + 10, version: 1 }],
    ];
    const actsOf = (round) => [...changes(round), ["backup", { file: fileOf(round) }]];
    await killAgain(scene, actsOf, { word: "copied", countMax: 12 });
  },
  /** Within one process, too. */
  async reopening(scene) {
    const again = (number) => [["commit", { number }], ["edit", { number, version: 1 }], ["close"], ["open"]];
    const actsOf = (round) => numbers(round * 20, 20).flatMap(again);
    await killAgain(scene, actsOf, { word: "opened", countMax: 14 });
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

async function killAgain(scene, actsOf, when, afterwards = () => {}) {
  for (let round = 0; round < 4; round++) {
    await killDuring(scene, [["open"], ...actsOf(round)], when);
    await afterwards();
  }
}

async function prepare(scene, count, options) {
  const acts = numbers(0, count).map((number) => ["commit", { number, hasId: true }]);
  await scene.perform([["open"], ...acts, ["settle"], ["close"]], options);
}

/** Each process goes on after the last that was submitted: what was not acknowledged may be there or not. */
async function commitRounds(scene, word, actsOf) {
  let next = 0;
  for (let round = 0; round < 5; round++) {
    const acts = actsOf(numbers(next, 14));
    const actor = await killDuring(scene, [["open"], ...acts, ["settle"]], { word, countMax: 13 });
    next = Math.max(next, ...actor.said("try").map(({ number }) => number + 1));
  }
}
