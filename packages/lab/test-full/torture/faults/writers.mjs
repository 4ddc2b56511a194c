/** Two processes on one store: one is killed and started again, or stopped for a while and goes on with an old view. */
import { setTimeout as delay } from "node:timers/promises";
import { numbers } from "../interactions.mjs";

const countEach = 24;

export const writers = {
  kind: "writers",
  stores: ["sqlite", "encrypted", "redis", "redis-encrypted"],
  async run(scene) {
    const options = { isPersistent: true };
    // The steady one forgets some of what it committed, while the other is at work.
    const steadyActs = numbers(0, countEach).flatMap((number) =>
      number > 4 && scene.random.chance(0.12)
        ? [
            ["commit", { number }],
            ["forget", [number - 3]],
          ]
        : [["commit", { number }]],
    );
    const steady = scene.start([["open"], ...steadyActs, ["settle"], ["close"]], options);
    await (scene.random.chance(0.5) ? killOther(scene, options) : stopOther(scene, options));
    await scene.finish(steady);
    await scene.look();
  },
};

async function killOther(scene, options) {
  let next = 60;
  for (let round = 0; round < 3; round++) {
    const commits = numbers(next, countEach).map((number) => ["commit", { number }]);
    const other = scene.start([["open"], ...commits], options);
    const count = scene.random.between(0, countEach / 2);
    await other.until(() => other.said("acknowledged").length > count);
    await delay(scene.random.unit() * 50);
    await other.kill();
    await scene.finish(other);
    next += countEach;
  }
}

async function stopOther(scene, options) {
  const commits = numbers(60, countEach).map((number) => ["commit", { number }]);
  const other = scene.start([["open"], ...commits, ["settle"], ["close"]], options);
  for (let round = 0; round < 3; round++) {
    const count = other.said("acknowledged").length + scene.random.between(0, 5);
    await other.until(() => other.said("acknowledged").length > count);
    other.signal("SIGSTOP");
    await delay(scene.random.between(50, 1200));
    other.signal("SIGCONT");
  }
  await scene.finish(other);
}
