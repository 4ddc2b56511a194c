/**
 * A day of an invented family through the command line, one process per sentence, written as Markdown:
 * node examples/family-day.mjs > docs/family-day.md
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const { told, asked } = JSON.parse(readFileSync(new URL("family-day.json", import.meta.url), "utf8"));
const program = fileURLToPath(new URL("../packages/server/dist/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "mnemosyne-family-"));
const options = ["--path", join(folder, "family.db"), "--person", "family", "--time-zone", "Europe/Berlin"];
const day = "2026-11-09";

/** What a person at a terminal sees: the output, then the notes beside it. */
function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...options, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return `${stdout}${stderr}`.trimEnd();
}

/** The core summary is part of every context and the same each time. */
function withoutCoreSummary(context) {
  return context.replace(/^What is known about this person\n(?:.+\n)+\n/mu, "");
}

const page = [];

function print(...lines) {
  page.push(...lines);
}

function block(lines) {
  return ["```text", ...lines, "```", ""];
}

process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
print("# What does it make of a day in a family?", "");
print(
  `Fifty sentences of an invented family, each committed by \`mnemosyne commit\`, then ${asked.length} questions with \`mnemosyne recall\`. No language model. From the second answer on, the core summary is left out here. \`node examples/family-day.mjs > docs/family-day.md\` writes this page; the sentences are in [examples/family-day.json](../examples/family-day.json).`,
  "",
);
print("## The day", "");
print(
  ...block(
    told.flatMap(([time, who, text]) => {
      const turns = JSON.stringify([{ who, text }]);
      const outcome = run("commit", "--id", time, "--at", `${day}T${time}`, "--turns", turns);
      return [`${time} ${who}: ${text}`, ...outcome.split("\n").map((line) => `      ${line}`)];
    }),
  ),
);
print("## The evening", "");
for (const [i, question] of asked.entries()) {
  const context = run("recall", "--seed", "1", "--at", `${day}T21:00`, question);
  print(...block([`$ mnemosyne recall "${question}"`, i === 0 ? context : withoutCoreSummary(context)]));
}
process.stdout.write(`${page.join("\n").trimEnd()}\n`);
