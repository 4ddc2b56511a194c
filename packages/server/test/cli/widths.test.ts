/** Every screen of the command line fits 80 columns: what commands print on a memory of the demo's conversations, their help, their errors. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import stringWidth from "string-width";
import { beforeAll, describe, expect, it } from "vitest";
import { header, makeRecord } from "../../../lab/test/eval/audit-fixtures.js";
import { makeJourney, writeJourney } from "../../../lab/test/eval/tiny-data.js";
import { CommandFolder, type Ran } from "./command.js";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
/** Runs a command on a terminal of its own. */
const terminalRecorder = "/usr/bin/script";
const widthMax = 80;
const demoLineCountMax = 60;
/** The demo replays half a year, on machines that have other work too. */
const demoTimeoutMs = 900_000;

/** Without a width of their own, as in a pipe. */
const folder = new CommandFolder("");
const hester = ["--path", "told.db", "--person", "hester", "--profile", "healthcare", "--time-zone", "Europe/London"];
const wide = "膝の手術のあとで、今日は階段を上がるときに少し痛いですが、昨日よりもずっと良くなりました。".repeat(3);
const emoji = `👨‍👩‍👧‍👦 came with 🎂🎂🎂 ${"e\u0301".repeat(90)} ${"x".repeat(120)}`;
const longName = `somebody with ${"a very long name and ".repeat(8)}no end`;

/** The demo's first conversations, and what is hard to lay out. */
function writeInteractions(): void {
  const file = new URL("../../demo/knee-replacement.json", import.meta.url);
  const { interactions } = JSON.parse(readFileSync(file, "utf8")) as { interactions: Record<string, unknown>[] };
  const told = interactions.slice(0, 12).map(({ id, at, turns, summary }) => ({ id, at, turns, summary }));
  const hard = { wide, emoji, [`long-${"id".repeat(40)}`]: longName };
  const more = Object.entries(hard).map(([id, summary]) => ({ id, summary, at: "2025-02-01", state: longName }));
  const without = ["Hester drinks tea at nine.", "Hester drinks tea at ten now."].map((summary) => ({
    summary,
    at: "2025-02-02T09:00:00Z",
  }));
  const lines = [...told, ...more, ...without].map((interaction) => JSON.stringify({ ...interaction }));
  writeFileSync(join(folder.path, "told.jsonl"), lines.join("\n"));
}

beforeAll(async () => {
  writeInteractions();
  await ran([...hester, "import", "told.jsonl"]);
  await ran([...hester, "--person", longName, "commit", "Somebody rows on the Tejo.", "--keep", "--id", "rows"]);
  writeFileSync(join(folder.path, "line.jsonl"), JSON.stringify({ summary: "Ada moved to Lisbon in May." }));
  const systems = [`heron-${"x".repeat(30)}`, "teal"];
  const records = systems.map((system) => makeRecord({ system, context: `From ${system}.` }));
  writeFileSync(join(folder.path, "audit.jsonl"), [header, ...records].map((line) => JSON.stringify(line)).join("\n"));
  writeJourney(join(folder.path, "journeys"), makeJourney());
  const audited = { at: "2026-01-01T00:00:00.000Z", previous: "0".repeat(64) };
  writeFileSync(join(folder.path, "server-audit.jsonl"), `${JSON.stringify(audited)}\n`);
}, demoTimeoutMs);

async function ran(args: readonly string[]): Promise<Ran> {
  const result = await folder.run(args);
  if (result.code !== 0) throw new Error(`${args.join(" ")}: ${result.errors}`);
  return result;
}

function tooWide({ out, errors }: Pick<Ran, "out" | "errors">): string[] {
  return `${out}\n${errors}`.split("\n").filter((line) => stringWidth(line) > widthMax);
}

/** By command: ways to run it that succeed. Data for other programs (JSON, DOT, exports, a context in a pipe) is no screen. */
const ways: Record<string, readonly (readonly string[])[]> = {
  list: [[], ["--current"], ["--ids"], ["--history"], ["--outcome", "paired"], ["--outcome", "queued"]],
  show: [["i008"], ["i008", "--explain"], ["i005"], ["wide"], ["emoji", "--explain"], ["long"]],
  stats: [[]],
  parameters: [[], ["time"]],
  core: [["--update"], [], ["--explain"], ["--changes"], ["--at", "2025-01-20"]],
  graph: [[]],
  recall: [
    ["What did the hospital say about the knee on 9 January?", "--explain", "--at", "2025-05-01", "--seed", "7"],
  ],
  doctor: [[]],
  commit: [
    ["Hester walked to the far car park with Ken and Bronwen.", "--at", "2025-07-16", "--explain"],
    [`Hello! ${"Lovely weather. ".repeat(20)}`, "--at", "2025-07-16"],
    [wide, "--keep", "--id", `wide-${"again-".repeat(12)}`, "--at", "2025-07-14"],
  ],
  correct: [["wide", "It is the left knee that hurts, not the right one, whatever the letter from the hospital says."]],
  update: [
    ["i003", "--state", longName, "--metadata", `note="${wide}"`, "--expires", "2999-01-01"],
    ["i003", "--state", longName],
    ["i003", "--text", wide],
  ],
  pin: [["i001"], ["The spare key is under the flowerpot by the back door of the house next door."]],
  unpin: [["i001"]],
  prune: [[], ["--count", "9"]],
  forget: [
    ["i004", "--yes"],
    ["i006", "i007", "i009", "i010", "i011", "--yes"],
  ],
  restore: [["i005"]],
  export: [["a-file-with-quite-a-long-name-so-that-the-line-has-to-be-wrapped-somewhere.jsonl"]],
  import: [["line.jsonl"]],
  reembed: [["--missing"]],
  migrate: [
    ["--from", "told.db", "--to", "copy-of-the-memory-with-a-name-that-is-long-enough-to-make-the-line-wrap.db"],
  ],
  keys: [
    [
      "add",
      "--for",
      "hester",
      "--for",
      longName,
      "--label",
      `${"a phone with a long name ".repeat(7)}`,
      "--expires",
      "90d",
    ],
    ["add", "--admin", "--read-only"],
    ["list"],
  ],
  audit: [["verify", "server-audit.jsonl"]],
  backup: [["backup-of-the-memory-with-a-name-that-is-long-enough-to-make-the-line-wrap.db"]],
  tutorial: [[]],
  eval: [
    ["journeys", "--data", "journeys", "--systems", "bm25,naive-rag,mnemosyne"],
    ["study", "make", "audit.jsonl", "--systems", `heron-${"x".repeat(30)},teal`, "--out", "page.html"],
  ],
};

/** Commands that print nothing but data, or need a model. Their help and errors are tried all the same. */
const untried = ["chat", "refine", "completion", "unlink", "demo", "mcp", "serve"];

describe("on the demo's memory", () => {
  it.each(Object.entries(ways))("%s fits", { timeout: demoTimeoutMs }, async (name, tries) => {
    for (const args of tries) {
      const result = await folder.run(
        name === "migrate" || name === "eval" ? [name, ...args] : [...hester, name, ...args],
      );
      expect({ args, code: result.code, errors: result.code === 0 ? "" : result.errors }).toEqual({
        args,
        code: 0,
        errors: "",
      });
      expect(result.out.length).toBeGreaterThan(0);
      expect(tooWide(result)).toEqual([]);
    }
  });

  it("the demo itself fits a short page", { timeout: demoTimeoutMs }, async () => {
    const demo = await folder.run(["demo"]);
    expect({ code: demo.code, errors: demo.errors, wide: tooWide(demo) }).toEqual({ code: 0, errors: "", wide: [] });
    expect(demo.out.trimEnd().split("\n").length).toBeLessThanOrEqual(demoLineCountMax);
    for (const part of ["not kept: small talk", "kept: repeats what you said on", "kept; updates what you said on"]) {
      expect(demo.out).toContain(part);
    }
    expect(demo.out).toMatch(/^\? What is the code of the key box\?\n(?: {2}.*\n)?.*9035/mu);
    expect(demo.out).toMatch(/^forgotten key-box, new-code\n {2}removed: /mu);
    expect(demo.out).toMatch(/^\? What is the code of the key box\?\n {2}this is probably not known$/mu);
  });

  it("no command is missing above", () => {
    const docs = readFileSync(fileURLToPath(new URL("../../../../docs/cli.md", import.meta.url)), "utf8");
    const known = [...docs.matchAll(/^\| `mnemosyne (\w+)`/gmu)].map(([, name]) => name);
    expect([...Object.keys(ways), ...untried].toSorted()).toEqual(known.toSorted());
  });

  it.runIf(process.platform === "linux" && existsSync(terminalRecorder))(
    "a context on a terminal is wrapped to its width",
    () => {
      const ask = `"${process.execPath}" "${program}" ${hester.join(" ")} recall "How is the knee?" --at 2025-05-01`;
      const args = ["-qec", `stty cols 60; ${ask}`, "/dev/null"];
      const { stdout } = spawnSync(terminalRecorder, args, {
        cwd: folder.path,
        encoding: "utf8",
        env: { ...process.env },
      });
      expect(stdout).toContain("MEMORY>>>");
      expect(stdout.split(/\r?\n/u).filter((line) => stringWidth(line) > 60)).toEqual([]);
    },
  );
});

/** Every command, and the commands below it, from the help itself. */
async function listCommands(path: readonly string[] = []): Promise<string[][]> {
  const { out } = await folder.run([...path, "--help"]);
  const [, list = ""] = out.split("\nCommands:\n");
  const names = [...list.split("\n\n")[0]!.matchAll(/^ {2}(\w+)/gmu)].map(([, name]) => name!);
  const below = names.filter((name) => name !== "help").map((name) => listCommands([...path, name]));
  return [[...path], ...(await Promise.all(below)).flat()];
}

it("every help fits, and has an example", { timeout: demoTimeoutMs }, async () => {
  const commands = await listCommands();
  expect(commands.length).toBeGreaterThan(30);
  for (const command of commands) {
    const help = await folder.run([...command, "--help"]);
    expect({ command, wide: tooWide(help) }).toEqual({ command, wide: [] });
    const [, examples = ""] = help.out.split(/^Examples?[^\n]*:\n/mu);
    expect({ command, examples }).toEqual({ command, examples: expect.stringMatching(/mnemosyne /u) as string });
  }
});

describe("an error fits", () => {
  it.each([
    [["show", "nobody"]],
    [["show", "i0"]],
    [["show", `${"nobody-".repeat(30)}x`]],
    [["forget", "i0", "--yes"]],
    [["--person", longName.slice(0, 100), "list"]],
    [["--path", `${"folder/".repeat(20)}none.db`, "list"]],
    [
      [
        "commit",
        "Hester rows.",
        "--at",
        "the day before yesterday, if I remember rightly, at nine or so in the morning",
      ],
    ],
    [["commit"]],
    [["recall", "Where?", "--budget", "-1"]],
    [["list", "--outcome", "vanished"]],
    [["chat"]],
    [["chat", "--gguf", "model.gguf", "--llm-model", "small"]],
    [["refine"]],
    [["completion"]],
    [["parameters", "unicorn"]],
    [["--set", "startCountMax", "list"]],
    [["import", "none.jsonl"]],
    [["eval", "journeys", "--llm"]],
    [["migrate", "--from", "none.db", "--to", "x.db"]],
    [["keys", "add"]],
    [["keys", "add", "--for", "ada", "--expires", "the day after tomorrow, or whenever it suits everybody best"]],
    [["keys", "revoke", "k3xq9m2a", "--keys", `${"folder/".repeat(20)}none.json`]],
    [["audit", "verify", `${"folder/".repeat(20)}none.jsonl`]],
    [["bogus"]],
    [[]],
  ])("%j", async (args) => {
    const result = await folder.run(args.length === 0 ? [] : [...hester, ...args]);
    expect(result.code).not.toBe(0);
    expect(result.errors.length).toBeGreaterThan(10);
    expect(tooWide(result)).toEqual([]);
  });
});

describe("colours", () => {
  const isColoured = (text: string): boolean => text.includes("\u001b[");

  it("are for terminals, unless they are asked for or refused", async () => {
    const show = (env: Record<string, string>): Promise<Ran> =>
      folder.run([...hester, "list", "--outcome", "paired"], { env });
    expect(isColoured((await show({})).out)).toBe(false);
    expect(isColoured((await show({ FORCE_COLOR: "1" })).out)).toBe(true);
    expect(isColoured((await show({ FORCE_COLOR: "0" })).out)).toBe(false);
    expect(isColoured((await show({ FORCE_COLOR: "1", NO_COLOR: "1" })).out)).toBe(false);
    expect(isColoured((await folder.run(["show", "x"], { env: { FORCE_COLOR: "1" } })).errors)).toBe(true);
  });
});
