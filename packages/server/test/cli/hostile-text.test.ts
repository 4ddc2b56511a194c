/** Whatever a memory, a file or a server holds: no command sends it to the terminal as anything but visible text. */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { showHidden } from "../../src/cli/visible-text.js";
import { type ScriptedEndpoint, saying, startEndpoint, streaming } from "../../../memory/test/adapters/scripted-endpoint.js";
import { header, makeRecord } from "../../../lab/test/eval/audit-fixtures.js";
import { makeJourney, writeJourney } from "../../../lab/test/eval/tiny-data.js";
import { CommandFolder, type Ran, answerSteps } from "./command.js";

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
/** Listed one by one, independently of the source. */
const codes = [
  ...range(0x00, 0x08),
  ...range(0x0b, 0x1f),
  ...range(0x7f, 0x9f),
  0x061c,
  0x200b,
  0x200e,
  0x200f,
  0x2028,
  0x2029,
  0xfeff,
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
  ...range(0xe0000, 0xe007f),
];
const characters = codes.map((code) => String.fromCodePoint(code));
const forbidden = new Set(characters);

/** For ids, names and states, which may hold no C0 codes. */
const label = (name: string): string => `${name}\u009b31m\u202e\u2066\u061c\u200b\ufeff\u2028\u{e0041}!`;
/** For texts. */
const text = (words: string): string =>
  `\u001b[31m${words}\u001b]0;owned\u0007\r\u007f\u0085 ${label("it")} \u001b[2J\u001b[H\u200f.`;

function hiddenIn(output: string): string[] {
  return [...new Set([...output].filter((character) => forbidden.has(character)))].map((character) =>
    character.codePointAt(0)!.toString(16),
  );
}

const folder = new CommandFolder();
const person = label("ada");
const ids = ["lisbon", "allergy", "hello", "cello"].map(label) as [string, string, string, string];
const interactions = [
  {
    id: ids[0],
    state: label("moving"),
    turns: [
      { who: label("user"), text: text("I moved to Lisbon on 3 January to work at the harbour office.") },
      { who: label("assistant"), text: text("The harbour of Lisbon is a good place to work.") },
    ],
  },
  { id: ids[1], state: label("ill"), summary: text("Ada is allergic to penicillin; it gave her hives in 2012.") },
  { id: ids[2], turns: [{ who: label("user"), text: "Hi there! Just saying hello. Bye!\u001b[5m" }] },
  { id: ids[3], summary: text("Ada's daughter Inês plays the cello in Lisbon.") },
].map((interaction, i) => ({ ...interaction, at: `2025-01-0${i + 1}T09:00:00Z` }));

let endpoint: ScriptedEndpoint;
beforeAll(async () => {
  endpoint = await startEndpoint((request) => {
    if (request["stream"] === true) return streaming(text("As you "), text("told me."));
    return request.messages.at(-1)!.content.includes("cello")
      ? { status: 404, body: JSON.stringify({ error: { message: text("no such model") } }) }
      : saying(answerSteps(request));
  });
  writeFileSync(join(folder.path, "four.jsonl"), interactions.map((one) => JSON.stringify(one)).join("\n"));
  const { code, errors } = await folder.run(["--person", person, "import", "four.jsonl"]);
  if (code !== 0) throw new Error(errors);
  await writeOther();
  const systems = [label("heron"), label("teal")];
  const records = systems.map((system) => makeRecord({ system, context: text(system), kind: label("kind") }));
  const audit = [{ ...header, dataset: label("data") }, ...records].map((line) => JSON.stringify(line)).join("\n");
  writeFileSync(join(folder.path, "audit.jsonl"), audit);
  const journey = makeJourney();
  const queries = journey.queries.map((query) => ({ ...query, kind: label(query.kind), query: text(query.query) }));
  writeJourney(join(folder.path, "journeys"), { ...journey, id: label("ada"), queries });
});
afterAll(() => endpoint?.close());

/** Another person with hostile text in what is made, not submitted: an export can hold anything. */
async function writeOther(): Promise<void> {
  const { out } = await folder.run(["--person", person, "export"]);
  const lines = out.trim().split("\n");
  const changed = lines.map((line) => {
    const value = JSON.parse(line) as Record<string, unknown>;
    if (value["type"] === "interaction") {
      const trace = JSON.stringify({
        substance: { decidedBy: "model", substantial: true, category: text("kind"), score: 1, threshold: 0 },
        redundancy: { score: 1, threshold: 0, id: text("id"), keptApart: text("apart") },
        languageModel: {
          name: text("model"),
          steps: [
            { step: text("step"), how: "without model", repairs: [], failure: text("down") },
            { step: text("step"), how: "retried", repairs: [text("repair")], failure: text("down") },
          ],
        },
      });
      return JSON.stringify({ ...value, trace });
    }
    if (value["type"] === "memory") {
      const made = {
        keywords: [text("word")],
        hypotheticalQuery: text("Why?"),
        summaryText: text("Ada lives."),
        state: text("s"),
      };
      return JSON.stringify({ ...value, ...made });
    }
    if (value["type"] === "core-summary") {
      const fact = {
        text: text("Ada lives."),
        area: "home",
        sourceId: ids[0],
        toldMs: 0,
        probability: 1,
        toldCount: 1,
      };
      const said = { ...fact, isCentral: false, isPinned: false, isChange: false, sinceMs: 0, left: null };
      const left = { ...said, left: { untilMs: 0, reason: text("gone"), byId: text("id") } };
      const facts = JSON.stringify([said, left, { text: text("no fact") }]);
      const core = { text: text("Ada lives."), updatedMs: 0, sourceIds: [ids[0]], trace: "{}", facts };
      return JSON.stringify({ ...value, ...core });
    }
    return line;
  });
  writeFileSync(join(folder.path, "other.jsonl"), changed.join("\n"));
  const { code, errors } = await folder.run(["--person", label("other"), "import", "other.jsonl"]);
  if (code !== 0) throw new Error(errors);
}

const other = (): string[] => ["--person", label("other")];
const ada = (): string[] => ["--person", person];
const model = (): string[] => ["--llm-url", endpoint.baseUrl, "--llm-model", label("small")];

/** By command: ways to run it. All but the last few change nothing. */
const ways: Record<string, (() => string[])[]> = {
  list: [() => [...ada(), "list"], () => [...ada(), "list", "--history"], () => [...other(), "list"]],
  show: [
    ...ids.map((id) => () => [...ada(), "show", id]),
    () => [...other(), "show", ids[0]],
    () => [...ada(), "show", label("nobody")],
  ],
  recall: [
    () => [...ada(), "recall", text("Where does Ada live?")],
    () => [...ada(), "recall", "Where does Ada live since 3 January?", "--explain", "--seed", label("7")],
    () => [...other(), "recall", "Where does Ada live?", "--budget", "0"],
  ],
  core: [
    () => [...other(), "core"],
    () => [...other(), "core", "--explain"],
    () => [...other(), "core", "--changes"],
    () => [...ada(), "core", "--update"],
    () => [...ada(), "core", "--explain"],
    () => [...ada(), "core", "--changes"],
    () => [...ada(), "core", "--at", "2025-01-03"],
  ],
  stats: [() => ["stats"], () => ["--person", label("nobody"), "stats"]],
  parameters: [() => ["parameters"], () => ["--set", `${label("x")}=1`, "parameters"]],
  graph: [() => [...ada(), "graph"], () => [...ada(), "graph", "--format", "dot"], () => [...other(), "graph"]],
  export: [() => [...ada(), "export"], () => [...ada(), "export", label("copy.jsonl")]],
  import: [
    () => [...ada(), "import", label("missing.jsonl")],
    () => ["--person", label("new"), "import", "four.jsonl"],
  ],
  migrate: [
    () => ["migrate", "--from", "mnemosyne.db", "--to", label("to.db")],
    () => ["migrate", "--from", "mnemosyne.db", "--to", label("to.db")],
    () => ["migrate", "--from", label("missing.db"), "--to", "x.db"],
  ],
  backup: [() => ["backup", label("copy.db")], () => ["backup", label("copy.db")]],
  serve: [() => ["serve", "--keys", label("none.json")]],
  mcp: [() => ["--embedder", label("none"), "mcp"]],
  keys: [
    () => ["keys", "add", "--for", person, "--label", text("phone")],
    () => ["keys", "list"],
    () => ["keys", "revoke", label("none")],
  ],
  audit: [() => ["audit", "verify", label("none.jsonl")]],
  completion: [() => [...ada(), "completion", "--values", "ids"], () => ["completion", label("tcsh")]],
  tutorial: [() => ["--embedder", label("none"), "tutorial"], () => ["tutorial"]],
  doctor: [() => ["doctor"], () => ["doctor", ...model()], () => ["--path", label("folder/x.db"), "doctor"]],
  demo: [() => ["demo", "--path", label("demo.db"), "--gguf", label("missing.gguf")]],
  eval: [
    () => ["eval", "journeys", "--data", "journeys", "--systems", "bm25"],
    () => ["eval", "journeys", "--data", "journeys", "--only", label("nobody")],
    () => ["eval", "locomo", "--data", label("missing.json")],
    () => [
      "eval",
      "study",
      "make",
      "audit.jsonl",
      "--systems",
      [label("heron"), label("teal")].join(","),
      "--out",
      label("page.html"),
    ],
    () => ["eval", "study", "make", "audit.jsonl", "--systems", label("nobody"), "--out", "page.html"],
    () => ["eval", "judge", "audit.jsonl", "--out", label("judged.jsonl"), ...model()],
    () => ["eval", "plot", label("missing.json"), "--out", "x.svg"],
  ],
  refine: [() => [...ada(), "refine", "--verbose", ...model()]],
  commit: [
    () => [
      ...ada(),
      "commit",
      text("Ada sold the cello."),
      "--id",
      label("sold"),
      "--state",
      label("rich"),
      ...model(),
    ],
    () => [...ada(), "commit", text("Ada sold the cello."), "--id", label("sold")],
    () => [...ada(), "commit", "--turns", label("missing.json")],
  ],
  pin: [
    () => [...ada(), "pin", ids[1]],
    () => [...ada(), "pin", label("nobody")],
    () => [...ada(), "pin", ids[1], "--area", label("Machines")],
    () => [...ada(), "pin", text("The key is under the flowerpot."), "--area", "Home"],
    () => [...ada(), "core", "--explain"],
  ],
  unpin: [() => [...ada(), "unpin", ids[1]], () => [...ada(), "unpin", ids[1]]],
  unlink: [
    () => [...ada(), "unlink", label("nobody"), label("somebody")],
    () => [...ada(), "unlink", ids[0], label("somebody")],
  ],
  // Afterwards there are outdated memories to list, show and recall.
  correct: [
    () => [...ada(), "correct", ids[0], text("Ada lives in Porto."), "--id", label("porto"), "--state", label("rich")],
    () => [...ada(), "correct", label("nobody"), text("Ada lives in Porto.")],
    () => [...ada(), "list"],
    () => [...ada(), "list", "--history"],
    () => [...ada(), "list", "--current"],
    () => [...ada(), "show", ids[0]],
    () => [...ada(), "show", label("porto")],
    () => [...ada(), "recall", "Where does Ada live?"],
  ],
  update: [
    () => [
      ...ada(),
      "update",
      ids[1],
      "--text",
      text("Ada plays the harp."),
      "--metadata",
      `${label("by")}=${label("x")}`,
    ],
    () => [...ada(), "update", ids[1], "--text", text("Ada plays the harp.")],
    () => [...ada(), "update", ids[1], "--metadata", label("x")],
    () => [...ada(), "update", label("nobody"), "--state", label("rich")],
    () => [...ada(), "show", ids[1]],
    () => [...ada(), "list", "--history"],
  ],
  chat: [() => [...ada(), "chat", ...model()]],
  prune: [() => [...ada(), "prune", "--count", "2"]],
  restore: [() => [...ada(), "restore", ids[2]], () => [...ada(), "restore", label("nobody")]],
  reembed: [() => ["reembed"], () => ["--embedder", label("none"), "reembed"]],
  forget: [() => [...ada(), "forget", ids[2], "--yes"], () => [...other(), "forget", "--all", "--yes"]],
};

const input = `${text("What am I allergic to?")}\n/memories\n/why\n/core\n/${label("bogus")}\n/quit\n`;

function expectHarmless({ out, errors }: Ran, args: readonly string[]): void {
  expect({ args: args.map(showHidden), stdout: hiddenIn(out), stderr: hiddenIn(errors) }).toEqual({
    args: args.map(showHidden),
    stdout: [],
    stderr: [],
  });
  expect(out + errors).not.toMatch(/^\s+at .*:\d+:\d+\)?$/mu);
}

describe("no hidden character is printed by", () => {
  it.each(Object.entries(ways))("%s", async (name, commands) => {
    let printed = "";
    for (const command of commands) {
      const ran = await folder.run(command(), { input });
      expectHarmless(ran, command());
      printed += ran.out + ran.errors;
      // With --json what is there is printed in full; a command that changed something is not run twice.
      if (/^(?:list|show|recall|core|stats|graph|doctor)$/u.test(name))
        expectJson(await folder.run([...command(), "--json"], { input }), command());
    }
    if (name !== "parameters" && name !== "reembed") expect(printed).toMatch(/\\u009b31m|\\u202e/u);
  });

  it("a command that the list above lacks", () => {
    const docs = readFileSync(fileURLToPath(new URL("../../../../docs/cli.md", import.meta.url)), "utf8");
    const known = [...docs.matchAll(/^\| `mnemosyne (\w+)`/gmu)].map(([, name]) => name);
    expect(Object.keys(ways).toSorted()).toEqual(known.toSorted());
  });
});

function expectJson(ran: Ran, args: readonly string[]): void {
  expectHarmless(ran, args);
  const printed = ran.code === 0 || ran.out !== "" ? ran.out : ran.errors;
  expect(hiddenIn(JSON.stringify(JSON.parse(printed))).length).toBeGreaterThan(0);
}

it("JSON is the value that was stored", async () => {
  const history = await folder.runJson<{ id: string; turns: unknown; summary: string | null }[]>([
    "--person",
    label("new"),
    "list",
    "--history",
  ]);
  expect(history.map(({ id }) => id)).toEqual(ids);
  expect(history[0]!.turns).toEqual(interactions[0]!.turns);
  expect(history[1]!.summary).toBe(interactions[1]!.summary);
});

it("an export on standard output is the same memory as one in a file", async () => {
  const from = ["--person", label("new"), "export"];
  const { out } = await folder.run(from);
  await folder.run([...from, "file.jsonl"]);
  const file = readFileSync(join(folder.path, "file.jsonl"), "utf8");
  const parse = (lines: string): unknown[] =>
    lines
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
  expect(parse(out)).toEqual(parse(file));
  expect(hiddenIn(file).length).toBeGreaterThan(0);
});

describe("shown as visible text", () => {
  it.each(codes.map((code, i) => [code.toString(16), characters[i]!] as const))("%s", (_, character) => {
    const shown = showHidden(`a${character}b`);
    expect(shown).toMatch(/^a(?:\\u[\da-f]{4}){1,2}b$/u);
    expect(JSON.parse(`"${shown}"`)).toBe(`a${character}b`);
  });

  it.each([
    ["a line break and a tab", "one\n\ttwo"],
    ["a family", "👨‍👩‍👧‍👦"],
    ["a heart with its variation", "❤️"],
    ["Persian with its non-joiner", "می‌خواهم"],
    ["Hindi with its joiner", "क्‍ष"],
    ["Hebrew and Arabic", "שלום, مرحبا"],
    ["a flag made of tags", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"],
    ["a Japanese text", "昨日、膝が痛い。"],
  ])("but not %s", (_, harmless) => expect(showHidden(harmless)).toBe(harmless));

  it("a line break of two characters is one; a carriage return alone moves no cursor", () => {
    expect(showHidden("one\r\ntwo")).toBe("one\ntwo");
    expect(showHidden("all is well\rrm -rf")).toBe("all is well\\u000drm -rf");
  });
});

describe("on a terminal", () => {
  it("our own colours survive, those in data do not, and columns stay aligned", async () => {
    vi.resetModules();
    vi.stubEnv("FORCE_COLOR", "1");
    vi.stubEnv("NO_COLOR", undefined);
    const { isTTY } = process.stdout;
    process.stdout.isTTY = true;
    const { toTerminal } = await import("../../src/cli/terminal.js");
    const { colours } = await import("../../src/cli/paint.js");
    const { formatTable } = await import("../../src/cli/layout.js");
    process.stdout.isTTY = isTTY;
    vi.unstubAllEnvs();
    const red = "\u001b[31m";
    expect(toTerminal(colours.red("ours"))).toBe(`${red}ours\u001b[39m`);
    expect(toTerminal(colours.red(`${red}theirs`))).toBe(`${red}\\u001b[31mtheirs\u001b[39m`);
    expect(
      toTerminal(
        formatTable(
          ["a", "b"],
          [
            ["x\u202e", "1"],
            [colours.bold("y"), "2"],
          ],
        ),
      ),
    ).toBe("\u001b[2ma        b\u001b[22m\nx\\u202e  1\n\u001b[1my\u001b[22m        2");
  });
});

it("the progress of somebody with a hostile name", async () => {
  const written: string[] = [];
  const { isTTY } = process.stderr;
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((chunk) => written.push(String(chunk)) > 0);
  const clock = vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValue(60_000);
  process.stderr.isTTY = true;
  try {
    const { startProgress } = await import("../../src/cli/terminal.js");
    const progress = startProgress(`${label("refining")} {bar}`, 3);
    progress.update(1, label("note"));
    progress.stop();
  } finally {
    process.stderr.isTTY = isTTY;
    spy.mockRestore();
    clock.mockRestore();
  }
  expect(written.join("")).toContain("\\u009b31m");
  // The bar moves the cursor itself.
  const own = new Set(["1b"]);
  expect(hiddenIn(written.join("")).filter((code) => !own.has(code))).toEqual([]);
});

it("the command line writes in one place only", () => {
  const root = fileURLToPath(new URL("../../src/cli/", import.meta.url));
  const writers = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .filter((file) =>
      /process\.std(?:out|err)\.write|console\.|writeSync/u.test(readFileSync(join(root, file), "utf8")),
    );
  expect(writers).toEqual(["terminal.ts"]);
});
