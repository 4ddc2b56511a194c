/** Nothing goes wrong: what the others are compared with, and how long ordinary work blocks the event loop. */
import { numbers } from "../interactions.mjs";

export const ordinary = {
  kind: "ordinary",
  stores: ["sqlite", "encrypted", "redis", "redis-encrypted"],
  async run(scene) {
    const open = { ...scene.open(), ...scene.maybeBundled(0.35) };
    const recalls = ["ada", "bea"].map((person) => ["recall", { person, question: "How was the garden last summer?" }]);
    const acts = numbers(0, 30).map((number) => ["commit", { number }]);
    const forgets = scene.random
      .shuffle(numbers(0, 30))
      .slice(0, 3)
      .map((number) => ["forget", [number]]);
    const all = [["open"], ...acts, ["settle"], ...recalls, ...forgets, ...recalls, ["close"]];
    await scene.perform(all, { open, isMetered: true });
    await scene.look({ open });
  },
};
