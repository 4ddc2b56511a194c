/** Two processes on one store: one is killed and started again, or stopped for a while, or the server is killed. */
import { setTimeout as delay } from "node:timers/promises";
import { livingActs } from "../living.mjs";
import { allStores, killOne, serverStores } from "../servers.mjs";

const countEach = 24;
/** The numbers of the other, apart from those of the steady one. */
const otherFrom = 60;

export const writers = {
  kind: "writers",
  stores: allStores,
  run: (scene) => besideSteady(scene, () => (scene.random.chance(0.5) ? killOther(scene) : stopOther(scene))),
};

export const servers = {
  kind: "servers",
  stores: serverStores,
  run: (scene) => besideSteady(scene, (steady) => killServer(scene, steady)),
};

async function besideSteady(scene, disturb) {
  const steady = startLife(scene, { first: 0, name: "steady" });
  await disturb(steady);
  await scene.finish(steady);
  await scene.look();
}

function startLife(scene, { first, name, last = [["settle"], ["close"]] }) {
  const acts = livingActs(scene, { first, count: countEach, name });
  return scene.start([["open"], ...acts, ...last], { isPersistent: true });
}

function untilMore(actor, count) {
  const before = actor.said("acknowledged").length;
  return actor.until(() => actor.said("acknowledged").length > before + count);
}

async function killOther(scene) {
  for (let round = 0; round < 3; round++) {
    const other = startLife(scene, { first: otherFrom + round * countEach, name: `other-${round}`, last: [] });
    await untilMore(other, scene.random.between(0, countEach / 2));
    await delay(scene.random.unit() * 50);
    await other.kill();
    await scene.finish(other);
  }
}

async function stopOther(scene) {
  const other = startLife(scene, { first: otherFrom, name: "other" });
  for (let round = 0; round < 3; round++) {
    await untilMore(other, scene.random.between(0, 5));
    other.signal("SIGSTOP");
    await delay(scene.random.between(50, 1200));
    other.signal("SIGCONT");
  }
  await scene.finish(other);
}

/** It starts again with what it has on disk. */
async function killServer(scene, steady) {
  const other = startLife(scene, { first: otherFrom, name: "other" });
  for (let round = 0; round < 2; round++) {
    await untilMore(steady, scene.random.between(1, 12));
    await delay(scene.random.unit() * 60);
    const killed = await killOne(scene.server, scene.random);
    await delay(scene.random.unit() * 800);
    await killed.start();
  }
  await scene.finish(other);
}
