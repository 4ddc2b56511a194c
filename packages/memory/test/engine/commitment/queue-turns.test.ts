/** Whose turn it is: so many at a time, the others in the order they came. */
import { expect, it } from "vitest";
import { QueueTurns } from "../../../src/engine/commitment/queue-turns.js";

it("so many have their turn at once; whoever is done hands it to the one that waits longest", async () => {
  const turns = new QueueTurns(2);
  const taken: number[] = [];
  const takers = [0, 1, 2, 3, 4].map((i) => turns.take().then(() => taken.push(i)));
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  await settle();
  expect(taken).toEqual([0, 1]);
  turns.give();
  await settle();
  expect(taken).toEqual([0, 1, 2]);
  turns.give();
  turns.give();
  await settle();
  expect(taken).toEqual([0, 1, 2, 3, 4]);
  await Promise.all(takers);
  // Two are still at work: when one is done, one place is free and no more.
  turns.give();
  const late = [5, 6].map((i) => turns.take().then(() => taken.push(i)));
  await settle();
  expect(taken.slice(5)).toEqual([5]);
  turns.give();
  await Promise.all(late);
});
