/** One after the other, and long work in slices; the clock of the slices is a fake one. */
import { describe, expect, it } from "vitest";
import { SerialLock } from "../../src/engine/serial-lock.js";

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
