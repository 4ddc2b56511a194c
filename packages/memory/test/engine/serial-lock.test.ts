/** One after the other, and long work in slices; the clock of the slices is a fake one. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { SerialLock, runInSlices } from "../../src/engine/serial-lock.js";

describe("a serial lock", () => {
  it("runs work in the order it came, one piece at a time, and gives each its result", async () => {
    const lock = new SerialLock();
    const events: string[] = [];
    const work = (name: string, turns: number) => async (): Promise<string> => {
      events.push(`${name} begins`);
      for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
      events.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([lock.run(work("a", 3)), lock.run(work("b", 0)), lock.run(work("c", 1))])).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(events).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("tells a failure to whoever asked, and goes on with the next", async () => {
    const lock = new SerialLock();
    const failing = lock.run(() => Promise.reject(new Error("out of order")));
    const next = lock.run(async () => "done");
    await expect(failing).rejects.toThrow("out of order");
    expect(await next).toBe("done");
    expect(await lock.run(async () => "and done")).toBe("and done");
  });
});

describe("work in slices", () => {
  /** Only goes on, from one test to the next. */
  let nowMs = performance.now();

  function fakeClock(): void {
    const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    onTestFinished(() => clock.mockRestore());
  }

  /** Steps of so many milliseconds each by a fake clock; gives how often others could run before each step. */
  async function turnsSeen(stepMs: readonly number[]): Promise<number[]> {
    fakeClock();
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    function* steps(): Generator<void, number[]> {
      const seen: number[] = [];
      for (const ms of stepMs) {
        seen.push(turns);
        nowMs += ms;
        yield;
      }
      return seen;
    }
    // So that the budget of what ran before is used up.
    await runInSlices(
      (function* pause(): Generator<void, void> {
        nowMs += 1_000;
        yield;
      })(),
    );
    setImmediate(count);
    const seen = await runInSlices(steps());
    isOver = true;
    return seen;
  }

  it("goes on for 5 ms at a time, then lets others run", async () => {
    expect(await turnsSeen([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2]);
    expect(await turnsSeen([20, 20, 1, 20])).toEqual([0, 1, 2, 2]);
  });

  it("short pieces of work that follow each other share one slice", async () => {
    fakeClock();
    function* piece(ms: number): Generator<void, void> {
      nowMs += ms;
      yield;
    }
    await runInSlices(piece(1_000));
    let hasRun = false;
    setImmediate(() => (hasRun = true));
    await runInSlices(piece(3));
    expect(hasRun).toBe(false);
    await runInSlices(piece(3));
    expect(hasRun).toBe(true);
  });
});
