/** Progress of long work: one line on a terminal, with the time left, and nothing for what is quick. */
import stringWidth from "string-width";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startProgress } from "../../src/cli/terminal.js";

const { isTTY, columns } = process.stderr;
let written: string[];
let nowMs: number;

beforeEach(() => {
  written = [];
  nowMs = 0;
  vi.spyOn(process.stderr, "write").mockImplementation((chunk) => written.push(String(chunk)) > 0);
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  process.stderr.isTTY = true;
  process.stderr.columns = 80;
});
afterEach(() => {
  vi.restoreAllMocks();
  Object.assign(process.stderr, { isTTY, columns });
});

const escape = String.fromCharCode(0x1b);
/** What is shown, without what moves the cursor. */
const lines = (): string[] =>
  written
    .join("")
    .split(new RegExp(`${escape}(?:\\[[\\d;?]*[a-zA-Z]|\\d)|[\\r\\n]`, "u"))
    .filter((line) => line.trim() !== "");

it("is silent in the first second, and altogether if nothing takes longer", () => {
  const progress = startProgress("importing", 10);
  nowMs = 999;
  progress.update(9);
  progress.stop();
  expect(written).toEqual([]);
});

// 3 of 10 in 30 s: 10 s each, so 70 s are left for seven.
it("then says how much is done and how long the rest will take", () => {
  const progress = startProgress("importing", 10);
  nowMs = 30_000;
  progress.update(3, "Ada moved to Lisbon");
  progress.stop();
  expect(lines().at(-1)).toMatch(/^importing █{6}░{14} 3\/10, 70 s left {2}Ada/u);
});

it.each([
  [5 * 60_000, "20 min left"],
  [60 * 60_000, "4 h 0 min left"],
])("after %i ms for a fifth: %s", (tookMs, left) => {
  const progress = startProgress("importing", 100);
  nowMs = tookMs;
  progress.update(20);
  progress.stop();
  expect(lines().at(-1)).toContain(left);
});

it("keeps to one line, whatever it is called", () => {
  const progress = startProgress("膝".repeat(60), 100_000);
  nowMs = 3_600_000;
  progress.update(12_345, "a note of many words ".repeat(9));
  progress.stop();
  expect(Math.max(...lines().map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
});

it("is silent where it is no terminal", () => {
  process.stderr.isTTY = false;
  const progress = startProgress("importing", 10);
  nowMs = 30_000;
  progress.update(3);
  progress.stop();
  expect(written).toEqual([]);
});
