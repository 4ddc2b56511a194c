/** One at a time, and by turns. */
import { expect, it } from "vitest";
import { FairTurns } from "../../src/server/fair-turns.js";

it("who asks for much lets others in between; one at a time, each in the order it came", async () => {
  const turns = new FairTurns();
  const order: string[] = [];
  let runningCount = 0;
  const run = (caller: string, name: string): Promise<string> =>
    turns.run(caller, async () => {
      order.push(`${caller} ${name}`);
      expect(++runningCount).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      runningCount--;
      if (name === "2") throw new Error("refused");
      return name;
    });
  const greedy = ["1", "2", "3", "4"].map((name) => run("greedy", name));
  const others = [run("one", "a"), run("one", "b"), run("other", "c")];
  const ends = await Promise.allSettled([...greedy, ...others]);
  expect(ends.map((end) => (end.status === "fulfilled" ? end.value : end.status))).toEqual([
    "1",
    "rejected",
    "3",
    "4",
    "a",
    "b",
    "c",
  ]);
  expect(order).toEqual(["greedy 1", "greedy 2", "one a", "other c", "greedy 3", "one b", "greedy 4"]);
  expect(await run("later", "d")).toBe("d");
});
