/** What every benchmark shares: temporary folders, child processes, the machine, statistics and tables. */
import { execFileSync, fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, cpus, loadavg, release, tmpdir, totalmem, type } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const person = "bench";

/** A folder that is removed when the process ends, whatever happens. */
export function makeFolder(parent = tmpdir()) {
  const folder = mkdtempSync(join(parent, "mnemosyne-bench-"));
  process.once("exit", () => removeFolder(folder));
  return folder;
}

/** Cleans up at the end, also when the benchmark is interrupted. */
export function endOnSignals() {
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
}

export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Runs one measurement of a script in its own process, so that no measurement warms up or burdens another, and returns its
 * result. The process can collect its garbage on request.
 */
export function runInChild(script, name, input, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = fork(script, ["--child", name, JSON.stringify(input)], {
      env,
      execArgv: ["--expose-gc", "--max-old-space-size=8192"],
    });
    let result;
    child.on("message", (message) => (result = message));
    child.on("error", reject);
    child.on("exit", (code) => {
      if (code === 0 && result !== undefined) resolve(result);
      else reject(new Error(`benchmark "${name}" ended with code ${code}`));
    });
  });
}

/** Runs one of the measurements in this process and sends its result to the parent; ends if the parent is gone. */
export async function answerParent(measurements, [name, input]) {
  let exitCode = 1;
  process.once("disconnect", () => process.exit(exitCode));
  const result = await measurements[name](JSON.parse(input));
  exitCode = 0;
  process.send(result, () => process.disconnect());
}

/** When, on which machine and with which code. */
export function describeRun() {
  const git = (...args) =>
    execFileSync("git", args, { cwd: fileURLToPath(new URL("../../../", import.meta.url)), encoding: "utf8" });
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: git("rev-parse", "--short", "HEAD").trim(),
    isModified: git("status", "--porcelain", "--", "src").trim() !== "",
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    coreCount: availableParallelism(),
    memoryByteCount: totalmem(),
    system: `${type()} ${release()}`,
    node: process.version,
    loadAtStart: loadavg()[0],
  };
}

export async function collectGarbage() {
  for (let i = 0; i < 5; i++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Median, 95th percentile and largest of some times. */
export function summarize(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { count: sorted.length, median: at(0.5), p95: at(0.95), max: sorted.at(-1) };
}

/** Runs `work` repeatedly and returns how long each run took, without waiting for other programs. */
export async function timeEach(count, work) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const waitedMs = readProcessorTimes()?.waitedMs ?? 0;
    const startMs = performance.now();
    await work(i);
    times.push(performance.now() - startMs - ((readProcessorTimes()?.waitedMs ?? 0) - waitedMs));
  }
  return times;
}

/**
 * How long this thread has run so far, and how long it has waited while other programs had the processor, as Linux counts
 * it; null elsewhere.
 */
export function readProcessorTimes() {
  try {
    const [ranNs, waitedNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
    return { ranMs: Number(ranNs) / 1e6, waitedMs: Number(waitedNs) / 1e6 };
  } catch {
    return null;
  }
}

/** Three significant digits, with thousands separators. */
export function formatNumber(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return Number(value.toPrecision(3)).toString();
}

export function formatFactor(value) {
  return `× ${formatNumber(value)}`;
}

export function formatBytes(byteCount) {
  const units = ["B", "KB", "MB", "GB"];
  let value = byteCount;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${formatNumber(value)} ${units[unit]}`;
}

/** A Markdown table, aligned so that it is also readable on a terminal; numbers are right-aligned. */
export function formatTable(headings, rows) {
  const lines = [headings, ...rows].map((cells) =>
    cells.map((cell) => (typeof cell === "number" ? formatNumber(cell) : String(cell))),
  );
  const widths = headings.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column].length)));
  const format = (cells) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(" | ")} |`;
  const rule = `| ${widths.map((width, i) => (i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [format(lines[0]), rule, ...lines.slice(1).map(format)].join("\n");
}
