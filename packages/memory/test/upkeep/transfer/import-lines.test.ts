/** Lines that are there already are read in slices: others run in between. The clock is a fake one. */
import { expect, it, onTestFinished, vi } from "vitest";
import { readLines } from "../../../src/upkeep/transfer/import-lines.js";

it("others run after every 5 ms of reading", async () => {
  let nowMs = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  onTestFinished(() => clock.mockRestore());
  let turns = 0;
  const seen: number[] = [];
  const count = (): void => {
    turns++;
    if (seen.length < 6) setImmediate(count);
  };
  async function* lines(): AsyncGenerator<string> {
    for (let i = 0; i < 6; i++) {
      seen.push(turns);
      nowMs += i < 3 ? 2 : 5;
      yield `line ${i}`;
    }
  }
  setImmediate(count);
  expect(await readLines(lines())).toHaveLength(6);
  // 2, 4, 6: a pause; then one for each.
  expect(seen).toEqual([0, 0, 0, 1, 2, 3]);
});
