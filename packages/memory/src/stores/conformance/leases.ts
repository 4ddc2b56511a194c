/** The right to work on a person, for a time. */
import { setTimeout as delay } from "node:timers/promises";
import { ada, check, put, read, should, shouldHold } from "./check.js";

const longMs = 60_000;
const shortMs = 400;
const waitMaxMs = 30_000;

export const leaseChecks = [
  check("one owner at a time has the right to work on a person, until it is given back", async (store) => {
    should("give a free right", await store.lease(ada, "one", longMs), true);
    should("refuse it to another owner", await store.lease(ada, "two", longMs), false);
    should("renew it for its owner", await store.lease(ada, "one", longMs), true);
    should("give the right to another person", await store.lease("bea", "two", longMs), true);
    should("refuse to give back what another owner has", await store.lease(ada, "two", 0), false);
    should("leave it with its owner", await store.lease(ada, "two", longMs), false);
    should("take it back", await store.lease(ada, "one", 0), true);
    should("give it to the next owner", await store.lease(ada, "two", longMs), true);
    should("refuse it to the owner before", await store.lease(ada, "one", longMs), false);
  }),

  check("a right ends by itself, unless it is renewed", async (store) => {
    await store.lease("bea", "one", shortMs);
    await store.lease("bea", "one", longMs);
    const beganMs = performance.now();
    await store.lease(ada, "one", shortMs);
    const early = await store.lease(ada, "two", longMs);
    shouldHold("refuse a right before it ends", !early || performance.now() - beganMs >= shortMs);
    let isFree = early;
    while (!isFree && performance.now() - beganMs < waitMaxMs) {
      await delay(shortMs / 4);
      isFree = await store.lease(ada, "two", longMs);
    }
    shouldHold("give a right to another owner when it has ended", isFree);
    shouldHold("not give it before it has ended", performance.now() - beganMs >= shortMs * 0.9);
    should("refuse it to the owner whose right has ended", await store.lease(ada, "one", longMs), false);
    should("keep a right that was renewed", await store.lease("bea", "two", longMs), false);
  }),

  check("a right to work on a person is no record of the person", async (store) => {
    await store.lease(ada, "one", longMs);
    should("list nobody", await store.persons(), []);
    should("know nobody", await read(store, ada), { revision: 0, isWhole: true, records: [] });
    should("have nothing to erase", await store.erase(ada), 0);
    await store.lease("bea", "one", longMs);
    should("let others write", (await store.write("bea", null, { put: [put("a")] }))! > 0, true);
    should("find no damage", await store.damage(), []);
  }),

  check("a right goes with the person: it has the name in it", async (store) => {
    for (const way of ["erase", "delete the last record of"]) {
      const revision = (await store.write(ada, null, { put: [put("a")] }))!;
      await store.lease(ada, "one", longMs);
      await (way === "erase" ? store.erase(ada) : store.write(ada, revision, { delete: [put("a")] }));
      should(`${way} a person and the right`, await store.lease(ada, way, longMs), true);
      await store.lease(ada, way, 0);
    }
  }),

  check("of many owners who ask at once, one has the right", async (store) => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => store.lease(ada, `owner ${i}`, longMs)));
    should("give it to one", answers.filter(Boolean).length, 1);
  }),
];
