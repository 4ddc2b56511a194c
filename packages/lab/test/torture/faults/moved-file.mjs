/** The file is taken away while it is open: a commit is refused, or the next process finds it at the path. */
import { copyFileSync, existsSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { markOf, numbers } from "../interactions.mjs";

const besides = ["-wal", "-shm"];
const all = ["", ...besides];

/** Each with whether what was acknowledged before is still to be there. */
const moves = {
  deleted: { run: (path) => remove(path, all), keeps: false },
  "deleted alone": { run: (path) => remove(path, [""]), keeps: false },
  renamed: { run: (path) => rename(path, `${path}.moved`, all), keeps: false },
  "renamed alone": { run: (path) => rename(path, `${path}.moved`, [""]), keeps: false },
  "renamed and back": {
    run(path) {
      rename(path, `${path}.moved`, all);
      rename(`${path}.moved`, path, all);
    },
    keeps: true,
  },
  "replaced by an earlier copy": {
    run(path) {
      remove(path, all);
      copyFileSync(`${path}.copy`, path);
    },
    keeps: false,
  },
  "replaced by another file": {
    run(path) {
      remove(path, all);
      writeFileSync(path, "hello");
    },
    keeps: false,
    isUnusable: true,
  },
  emptied: { run: (path) => truncateSync(path, 0), keeps: false, isUnusable: true },
  "log deleted": { run: (path) => remove(path, besides), keeps: false },
};

export const movedFile = {
  kind: "moved-file",
  stores: ["sqlite", "encrypted"],
  async run(scene) {
    const names = Object.keys(moves);
    // Shifted by one each time all were tried, so that each comes with each store.
    const name = names[(scene.number + Math.floor(scene.number / names.length)) % names.length];
    const path = scene.path();
    await scene.perform([["open"], ...commits(0, 5), ["settle"], ["close"]]);
    copyFileSync(path, `${path}.copy`);
    const actor = scene.start([["open"], ...commits(10, 8), ["hold"], ...commits(30, 8), ["settle"], ["close"]]);
    await actor.until(() => actor.said("held").length > 0);
    moves[name].run(path);
    actor.go();
    await scene.finish(actor);
    // What went with the file is gone, with our knowledge; only what was acknowledged afterwards is promised.
    if (!moves[name].keeps) for (const number of numbers(0, 30)) scene.acknowledged.delete(markOf(scene.seed, number));
    // A path with something else at it opens for nobody, which harms nobody who was promised nothing.
    if (moves[name].isUnusable !== true || scene.acknowledgedCount > 0) await scene.look();
    for (const found of scene.findings) found.what = `${name}: ${found.what}`;
  },
};

function commits(from, count) {
  return numbers(from, count).map((number) => ["commit", { number }]);
}

function remove(path, endings) {
  for (const ending of endings) rmSync(path + ending, { force: true });
}

function rename(from, to, endings) {
  for (const ending of endings) if (existsSync(from + ending)) renameSync(from + ending, to + ending);
}
