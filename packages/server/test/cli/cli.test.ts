/** The real command line, as a shell runs it: output, exit codes, and never a stack trace. */
import { type ExecFileException, execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Mnemosyne } from "mnemosyne-edge";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { interactionAt, laboratory } from "../../../memory/test/durability/laboratory.mjs";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "mnemosyne-cli-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

/** Runs a command in the folder. Whatever it does, it prints no stack trace and, without a terminal, no colours. */
function run(args: readonly string[], { input = "", env = {} }: { input?: string; env?: object } = {}): Promise<Ran> {
  const {
    MNEMOSYNE_PATH: _path,
    MNEMOSYNE_PERSON: _person,
    MNEMOSYNE_KEY: _key,
    MNEMOSYNE_EMBEDDER: _way,
    MNEMOSYNE_LLM_MODEL: _model,
    MNEMOSYNE_GGUF: _file,
    FORCE_COLOR: _colour,
    ...rest
  } = process.env;
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: { ...rest, COLUMNS: "200", ...env }, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(process.execPath, [program, ...args], options, (error, out, errors) => {
      const code = error === null ? 0 : (error as ExecFileException).code;
      if (typeof code !== "number") return reject(error as Error);
      try {
        expect(`${out}${errors}`).not.toMatch(/^\s+at /mu);
        // eslint-disable-next-line no-control-regex -- colour codes begin with the escape character
        expect(`${out}${errors}`).not.toMatch(/\u001b\[/u);
        resolve({ code, out, errors });
      } catch (failure) {
        reject(failure as Error);
      }
    });
    child.stdin!.on("error", () => {});
    child.stdin!.end(input);
  });
}

async function runJson<Result>(args: readonly string[], options?: Parameters<typeof run>[1]): Promise<Result> {
  const { code, out, errors } = await run([...args, "--json"], options);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  return JSON.parse(out) as Result;
}

async function expectError(args: readonly string[], exitCode: number, errorCode: string): Promise<string> {
  const { code, out, errors } = await run([...args, "--json"]);
  expect({ code, out }).toEqual({ code: exitCode, out: "" });
  const { error } = JSON.parse(errors) as { error: { code: string; message: string } };
  expect(error.code).toBe(errorCode);
  expect(error.message.length).toBeGreaterThan(10);
  return error.message;
}

/** A copy of the database that a test may change. */
function copyDatabase(name: string): string {
  copyFileSync(join(folder, "mnemosyne.db"), join(folder, name));
  return name;
}

const kneeTurns = [
  { who: "user", text: "My knee bends to 95 degrees since the operation on 18 December, pain is 3 of 10." },
  { who: "assistant", text: "That is good progress. Keep doing the stair exercises twice a day." },
];
const interactions = [
  {
    id: "lisbon",
    at: "2025-01-05T09:00:00Z",
    summary: "Ada moved to Lisbon on 3 January to work at the harbour office.",
  },
  { id: "knee", at: "2025-01-12T10:00:00Z", turns: kneeTurns, state: "recovery" },
  { id: "allergy", at: "2025-01-15T08:00:00Z", summary: "Ada is allergic to penicillin; it gave her hives in 2012." },
  { id: "knee-again", at: "2025-01-16T10:00:00Z", turns: kneeTurns, state: "recovery" },
  { id: "hello", at: "2025-01-17T10:00:00Z", turns: [{ who: "user", text: "Hi there! Just saying hello. Bye!" }] },
  {
    id: "cello",
    at: "2025-01-20T18:30:00Z",
    summary: "Ada's daughter Inês plays the cello; her concert is on 14 February.",
  },
];

beforeAll(async () => {
  const lines = interactions.map((interaction) => JSON.stringify(interaction));
  writeFileSync(join(folder, "six.jsonl"), `${lines.join("\n")}\n`);
  writeFileSync(join(folder, "notes.txt"), "These are notes, not a database.\n");
  writeFileSync(join(folder, "broken.json"), "{ not json");
  writeFileSync(join(folder, "object.json"), '{ "who": "user" }');
  writeFileSync(join(folder, "noise.bin"), Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 197) % 256)));
  writeFileSync(join(folder, "empty.key"), "\n");
  mkdirSync(join(folder, "a folder"));
  const { code, out } = await run(["import", "six.jsonl"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^6 interactions submitted\.\n"default" now has: /u);
});

describe("a path where there is no database", () => {
  test.each([[["list"]], [["recall", "who?"]], [["stats"]], [["core"]], [["reembed"]], [["forget", "x", "--yes"]]])(
    "%j says so and creates none",
    async (args) => {
      await expectError(["--path", "typo.db", ...args], 4, "store_missing");
      expect(existsSync(join(folder, "typo.db"))).toBe(false);
    },
  );
});

describe("a byte order mark", () => {
  const turns = '[{"who":"user","text":"The boat has a new mast since 3 May."}]';

  test("before what is read is not part of it", async () => {
    writeFileSync(join(folder, "marked.json"), `\uFEFF${turns}`);
    writeFileSync(join(folder, "marked.jsonl"), `\uFEFF{"id":"m","summary":"The boat is green."}\r\n`);
    const path = ["--path", "marked.db"];
    const { id } = await runJson<{ id: string }>([...path, "commit", "-"], {
      input: "\uFEFFThe boat was sold in May.",
    });
    expect((await runJson<{ summary: string }>([...path, "show", id])).summary).toBe("The boat was sold in May.");
    expect((await run([...path, "commit", "--turns", "marked.json"])).code).toBe(0);
    expect((await run([...path, "commit", "--turns", "-"], { input: `\uFEFF${turns}` })).code).toBe(0);
    expect((await runJson<{ acceptedCount: number }>([...path, "import", "marked.jsonl"])).acceptedCount).toBe(1);
  });
});

describe("turns", () => {
  test("passed as a text are refused; --turns takes JSON directly", async () => {
    await expectError(["commit", '[{"who":"user","text":"I run."}]'], 2, "interaction_invalid");
    await expectError(["--path", "turns.db", "commit", "--turns", "[{"], 2, "interaction_invalid");
  });
});

describe("what is in the memory", () => {
  test("list: memories, oldest first", async () => {
    const memories = await runJson<{ id: string; pairId: string | null }[]>(["list"]);
    expect(memories.map(({ id }) => id)).toEqual(["lisbon", "knee", "allergy", "knee-again", "cello"]);
    expect(memories.find(({ id }) => id === "knee")?.pairId).toBe("knee-again");
    const { code, out } = await run(["list"]);
    expect(code).toBe(0);
    expect(out.split("\n")[0]).toMatch(/^memory\s+when\s+summary$/u);
    for (const { id } of memories) expect(out).toContain(id);
  });

  test("list --history: everything submitted, with its outcome", async () => {
    const history = await runJson<{ id: string; outcome: string }[]>(["list", "--history"]);
    expect(Object.fromEntries(history.map(({ id, outcome }) => [id, outcome]))).toEqual({
      lisbon: "committed",
      knee: "committed",
      allergy: "committed",
      "knee-again": "paired",
      hello: "discarded",
      cello: "committed",
    });
    const discarded = await runJson<{ id: string }[]>(["list", "--history", "--outcome", "discarded"]);
    expect(discarded.map(({ id }) => id)).toEqual(["hello"]);
    expect((await run(["list", "--history"])).out).toMatch(/^hello\s+2025-01-17 10:00\s+discarded\s+Hi there!/mu);
  });

  test("show: one memory", async () => {
    const shown = await runJson<object>(["show", "knee"]);
    expect(shown).toMatchObject({ id: "knee", state: "recovery", turns: kneeTurns, pairId: "knee-again" });
    const { code, out } = await run(["show", "knee"]);
    expect(code).toBe(0);
    expect(out).toContain("pair       knee-again");
    expect(out).toMatch(/^linked to {2}knee-again$/mu);
    expect(out).toMatch(/^why +kept$/mu);
    expect(out).not.toContain("scores");
    const explained = (await run(["show", "knee", "--explain"])).out;
    expect(explained).toMatch(/^scores +\S/mu);
    expect(explained).toMatch(/^edge to +weight +boost d\nknee-again +\d\.\d+ +\d/mu);
  });

  test("show: an interaction that is not a memory, with the reason", async () => {
    const { code, out } = await run(["show", "hello", "--explain"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^hello .* discarded$/mu);
    expect(out).toMatch(/^why +not kept: small talk$/mu);
    expect(out).toMatch(/^scores +the judge gives 0\.\d\d that it tells something$/mu);
  });

  test("core: the core summary", async () => {
    expect((await run(["core"])).out).toContain("Allergies and alerts\n- Ada is allergic to penicillin");
    const database = copyDatabase("core.db");
    const core = await runJson<{ text: string; sourceIds: string[] }>(["--path", database, "core", "--update"]);
    expect(core.text).not.toBe("N/A");
    expect(core.sourceIds.length).toBeGreaterThan(0);
    expect((await run(["--path", database, "core"])).out).toMatch(/^as of 2025-01-20 .*, \d+ facts$/mu);
  });

  test("stats: for everybody or one", async () => {
    const { persons, embedder, store } = await runJson<{
      persons: { person: string; memoryCount: number }[];
      embedder: { dimensions: number };
      store: { schemaVersion: number; encrypted: boolean };
    }>(["stats"]);
    expect(persons).toMatchObject([{ person: "default", memoryCount: 5 }]);
    expect(embedder.dimensions).toBe(384);
    expect(store).toMatchObject({ schemaVersion: 7, encrypted: false });
    expect((await run(["stats"])).out).toMatch(/^default\s+5\s+0\s+1\s+1\s+1\s+1\s+0\s+0\s/mu);
    await (await SqliteStore.open({ path: join(folder, "nobody-yet.db") })).close();
    const { code, out } = await run(["--path", "nobody-yet.db", "stats"]);
    expect({ code, isEmpty: out.includes("This database is empty.") }).toEqual({ code: 0, isEmpty: true });
  });

  test("graph: text, dot and JSON", async () => {
    const [text, dot] = [await run(["graph"]), await run(["graph", "--format", "dot"])];
    expect(text.code + dot.code).toBe(0);
    expect(text.out).toMatch(/^Memory graph {2}5 memories, 1 edge, 1 pair/u);
    expect(text.out).toContain("╭─●");
    expect(dot.out).toMatch(/^graph mnemosyne \{\n[\s\S]*"knee" -- "knee-again" \[[^\]]*\];\n\}\n$/u);
    const graph = JSON.parse((await run(["graph", "--format", "json"])).out) as { memories: object[]; edges: object[] };
    expect(graph.memories).toHaveLength(5);
    expect(graph.edges).toMatchObject([{ a: "knee", b: "knee-again" }]);
    expect(await runJson(["graph"])).toEqual(graph);
  });

  test("recall: a context text, the same for the same seed", async () => {
    const args = ["recall", "What is Ada allergic to?", "--at", "2025-02-01", "--seed", "7"];
    const first = await runJson<{ memories: { id: string }[]; context: string; trace: { seed: string } }>(args);
    expect(first.memories[0]?.id).toBe("allergy");
    expect(first.trace.seed).toBe("7");
    expect(first.context).toContain("penicillin");
    const again = await run([...args, "--explain"]);
    expect(again.code).toBe(0);
    for (const heading of ["Context", "Start nodes", "tokens"]) expect(again.out).toContain(heading);
    expect((await run(args)).out.replaceAll(/\s+/gu, " ")).toBe(`${first.context.replaceAll(/\s+/gu, " ")} `);
  });

  test("parameters: every one, with the values that were set", async () => {
    type Listed = { name: string; value: number; min: number; max: number; meaning: string }[];
    const listed = await runJson<Listed>(["parameters", "--set", "startCountMax=5", "--preset", "paper"]);
    expect(listed.length).toBeGreaterThan(40);
    expect(listed.find(({ name }) => name === "startCountMax")?.value).toBe(5);
    expect(listed.find(({ name }) => name === "lexicalWeight")?.value).toBe(0);
    const { out } = await run(["parameters"]);
    for (const { name } of listed) expect(out).toContain(name);
  });

  test("help and version", async () => {
    for (const args of [["--help"], ["commit", "--help"], ["help", "recall"]]) {
      const { code, out } = await run(args);
      expect({ code, isHelp: out.includes("Usage: mnemosyne") }).toEqual({ code: 0, isHelp: true });
    }
    expect((await run(["--help"])).out).not.toContain("(default: {})");
    expect((await run(["help"])).out).toBe((await run(["--help"])).out);
    expect((await run(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/u);
  });
});

describe("what changes the memory", () => {
  test("commit: a text, turns, standard input; the same id twice is stored once", async () => {
    const path = ["--path", copyDatabase("commit.db")];
    const text = "Ada began physiotherapy with Rui on 21 January, three times a week.";
    const args = [...path, "commit", text, "--at", "2025-01-21T12:00:00Z", "--id", "physio", "--state", "recovery"];
    const committed = await runJson<{ id: string; isNew: boolean; outcome: string }>(args);
    expect(committed).toMatchObject({ id: "physio", isNew: true, outcome: "committed" });
    expect((await run([...args, "--json"])).out).toContain('"isNew": false');
    expect((await run(args)).out).toContain("already stored physio (committed); nothing changed");

    const turns = JSON.stringify(kneeTurns);
    const fromInput = await run(
      [...path, "commit", "--turns", "-", "--id", "third", "--at", "2025-01-22", "--explain"],
      {
        input: turns,
      },
    );
    expect(fromInput.code).toBe(0);
    expect(fromInput.out).toMatch(
      /^kept: repeats what you said on 12 January 2025 \(knee\); takes the place of what you said on 16\s+January\s+2025\s+\(knee-again\)\n {2}third {2}My knee .*\n {2}the judge [\s\S]*, replaced\s+knee-again, 1 edge\n {2}nearest knee: update 0\.\d\d, repetition 0\.9\d, different 0\.\d\d\n$/u,
    );
  });

  test("forget: for good, with a receipt", async () => {
    const database = copyDatabase("forget.db");
    const path = ["--path", database];
    const receipt = await runJson<object>([...path, "forget", "knee", "allergy", "--yes"]);
    expect(receipt).toMatchObject({
      forgotten: ["knee", "allergy"],
      removed: { interactions: 2, memories: 2, edges: 1 },
      remainingPairs: ["knee-again"],
    });
    expect(readFileSync(join(folder, database)).includes("penicillin")).toBe(false);
    const { code, out } = await run([...path, "forget", "--all", "--yes"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^forgotten lisbon, knee-again, hello, cello\n {2}removed: 4 interactions, 3 memories/u);
    expect(readFileSync(join(folder, database)).includes("Lisbon")).toBe(false);
    await expectError([...path, "list"], 3, "unknown_person");
  });

  test("restore and prune", async () => {
    const path = ["--path", copyDatabase("restore.db")];
    expect((await run([...path, "restore", "hello"])).out).toMatch(/^restored as you asked\n {2}hello {2}Hi there/u);
    const pruned = await runJson<{ pruned: { id: string }[]; memoryCount: number }>([...path, "prune", "--count", "4"]);
    expect(pruned.memoryCount).toBe(4);
    expect(pruned.pruned).toHaveLength(2);
    expect((await run([...path, "prune", "--count", "4"])).out).toContain("0 pruned, 4 memories remain");
    const history = await runJson<{ id: string }[]>([...path, "list", "--outcome", "pruned"]);
    expect(history.map(({ id }) => id).sort()).toEqual(pruned.pruned.map(({ id }) => id).sort());
  });

  test("export and import: the same memory under another name", async () => {
    const path = ["--path", copyDatabase("transfer.db")];
    expect((await run([...path, "export", "ada.jsonl"])).out).toMatch(/^\d+ lines written to ada\.jsonl\.\n$/u);
    const exported = readFileSync(join(folder, "ada.jsonl"), "utf8");
    expect((await run([...path, "export"])).out).toBe(exported);
    const imported = await runJson([...path, "--person", "bea", "import", "-"], { input: exported });
    expect(imported).toMatchObject({ mode: "restored", acceptedCount: 6, knownCount: 0 });
    const copy = (await run([...path, "--person", "bea", "export"])).out;
    expect(copy.split("\n").slice(1)).toEqual(exported.split("\n").slice(1));
    expect((await run([...path, "import", "six.jsonl"])).out).toMatch(
      /^0 interactions submitted, 6 already stored\.\n/u,
    );
  });

  test("migrate: everybody to another store, once, and nobody is overwritten", async () => {
    for (const name of ["ada", "bea"]) {
      const memories = await Mnemosyne.open(laboratory({ path: join(folder, "old.db") }));
      await memories.person(name).commit(interactionAt(0));
      await memories.settled();
      await memories.close();
    }
    const migrate = ["migrate", "--from", "old.db", "--to", "new.db"];
    const first = await run(migrate);
    expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/^2 people migrated to new\.db\./u) });
    const again = await runJson<{ migratedCount: number; knownCount: number }>([...migrate, "--json"]);
    expect(again).toMatchObject({ migratedCount: 0, knownCount: 2, differentPersons: [] });
    const changed = await Mnemosyne.open(laboratory({ path: join(folder, "old.db") }));
    await changed.person("bea").commit(interactionAt(1));
    await changed.settled();
    await changed.close();
    writeFileSync(join(folder, "two.key"), "two keys for two stores\n");
    await expectError(["--key-file", "two.key", ...migrate], 2, "option_invalid");
    const locked = ["migrate", "--from", "locked.db", "--from-key-file", "two.key", "--to", "opened.db"];
    await run(["migrate", "--from", "old.db", "--to", "locked.db", "--to-key-file", "two.key"]);
    expect(await run(locked)).toMatchObject({
      code: 0,
      errors: expect.stringMatching(/warning: .*without encryption/u),
    });
    const differing = await run(migrate);
    expect(differing.code).toBe(4);
    expect(differing.out).toContain("differ: bea");
  });

  test("an encrypted memory", async () => {
    writeFileSync(join(folder, "secret.key"), "correct horse battery staple\n");
    const path = ["--path", "encrypted.db"];
    const encryptionKey = "correct horse battery staple";
    await (await SqliteStore.open({ path: join(folder, "encrypted.db"), encryptionKey })).close();
    expect((await run([...path, "stats"], { env: { MNEMOSYNE_KEY: encryptionKey } })).code).toBe(0);
    const withKey = await run([...path, "--key-file", "secret.key", "stats"]);
    expect(withKey.code).toBe(0);
    expect(withKey.out).toContain("encrypted");
    await expectError([...path, "stats"], 4, "store_not_ours");
    expect(readFileSync(join(folder, "encrypted.db")).includes("SQLite format")).toBe(false);
  });

  test("a memory of another embedder: refused, found by the doctor, fixed by reembed", async () => {
    const path = ["--path", "other.db"];
    const memories = await Mnemosyne.open(laboratory({ path: join(folder, "other.db") }));
    for (let position = 0; position < 2; position++) await memories.person("default").commit(interactionAt(position));
    await memories.settled();
    await memories.close();
    expect(await expectError([...path, "list"], 4, "embedder_mismatch")).toContain(
      `\`mnemosyne --path ${path[1]!} reembed\``,
    );
    const doctor = await run([...path, "doctor"]);
    expect({ code: doctor.code, says: doctor.out.includes("mnemosyne reembed") }).toEqual({ code: 6, says: true });
    expect((await run([...path, "reembed"])).out).toBe("2 memories of 1 person embedded again.\n");
    const { out: missing } = await run([...path, "reembed", "--missing"]);
    expect(missing).toBe("Nothing was missing in the memories of 1 person.\n");
    expect((await run([...path, "list"])).code).toBe(0);
  });
});

describe("an embedder that fails", () => {
  test("leaves what was submitted stored, and says so; a later command processes it", async () => {
    const path = ["--path", copyDatabase("failing.db")];
    const stop = `if (/onnx.process/u.test(process.argv[1] ?? "")) process.exit(1);`;
    writeFileSync(join(folder, "stop.mjs"), stop);
    const env = { NODE_OPTIONS: `--import ${pathToFileURL(join(folder, "stop.mjs")).href}` };
    const args = [...path, "--embedder", "fast", "commit", "Ada rows on the Tejo with Rui.", "--id", "rowing"];
    const { code, out, errors } = await run(args, { env });
    expect({ code, out }).toEqual({ code: 5, out: "" });
    expect(errors).toMatch(
      /^error embedder_failed: "rowing" is stored, but processing it failed; it is tried again later: .*\n$/u,
    );
    expect((await run([...path, "list", "--outcome", "queued"])).out).toContain("rowing");
    expect((await run([...path, "commit", "Ada bakes bread.", "--id", "bread"])).code).toBe(0);
    expect(await runJson([...path, "list", "--outcome", "queued"])).toEqual([]);
  });
});

describe("doctor", () => {
  test("finds nothing wrong with a sound memory", async () => {
    const report = await runJson<{ ok: boolean; findings: { name: string; ok: boolean; detail: string }[] }>([
      "doctor",
    ]);
    expect(report.ok).toBe(true);
    const names = report.findings.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["Node.js", "database", "embedder", "person default"]));
    const embedder = report.findings.find(({ name }) => name === "embedder")!;
    expect(embedder.detail).toMatch(/run by (onnxruntime$|WebAssembly, since the fast way does not work here: )/u);
  });

  test.each([
    ["a file that is not a database", ["--path", "notes.txt"]],
    ["a folder", ["--path", "a folder"]],
  ])("exits with 6 for %s", async (_, args) => {
    const text = await run([...args, "doctor"]);
    expect(text.code).toBe(6);
    expect(text.out).toContain("✗ database");
    expect(text.out.match(/^✗/gmu)).toHaveLength(1);
    expect(text.out).toContain("✓ embedder");
    const json = await run([...args, "doctor", "--json"]);
    expect(json.code).toBe(6);
    expect(JSON.parse(json.out)).toMatchObject({ ok: false });
  });

  test("says how the embedder runs when that is chosen", async () => {
    const { out } = await run(["--path", ":memory:", "doctor"], { env: { MNEMOSYNE_EMBEDDER: "portable" } });
    expect(out).toContain("run by WebAssembly as asked for");
    await expectError(["--path", ":memory:", "--embedder", "quick", "stats"], 2, "option_invalid");
  });

  test("creates nothing where there is no database", async () => {
    const { code, out } = await run(["--path", "not-there.db", "doctor"]);
    expect(code).toBe(0);
    expect(out).toContain("does not exist yet");
    expect(readdirSync(folder).filter((name) => name.startsWith("not-there"))).toEqual([]);
  });
});

describe("mistakes", () => {
  test.concurrent.each<[exitCode: number, errorCode: string, args: string[]]>([
    [2, "interaction_invalid", ["commit"]],
    [2, "interaction_invalid", ["commit", "--turns", "broken.json"]],
    [2, "interaction_invalid", ["commit", "--turns", "object.json"]],
    [2, "interaction_empty", ["commit", ""]],
    [2, "interaction_empty", ["commit", "-"]],
    [2, "time_invalid", ["commit", "Hello.", "--at", "yesterday"]],
    [2, "time_in_future", ["commit", "Hello.", "--at", "2999-01-01"]],
    [2, "person_invalid", ["--person", "", "commit", "Hello."]],
    [2, "query_empty", ["recall", " "]],
    [2, "id_invalid", ["forget"]],
    [2, "option_invalid", ["forget", "knee"]],
    [2, "id_invalid", ["restore", "knee"]],
    [2, "import_invalid", ["import", "not-there.jsonl"]],
    [2, "import_invalid", ["import", "a folder"]],
    [2, "import_invalid", ["import", "noise.bin"]],
    [2, "parameter_unknown", ["--set", "nonsense=1", "list"]],
    [2, "parameter_out_of_range", ["--set", "edgeThreshold=7", "list"]],
    [2, "option_invalid", ["--preset", "fast", "list"]],
    [2, "option_invalid", ["--profile", "constructor", "list"]],
    [2, "option_invalid", ["--time-zone", "Mars/Olympus", "list"]],
    [2, "option_invalid", ["--key-file", "not-there.key", "list"]],
    [2, "option_invalid", ["--path", "never.db", "--key-file", "empty.key", "commit", "x"]],
    [2, "option_invalid", ["--path", "", "list"]],
    [2, "id_invalid", ["forget", "--yes"]],
    [3, "unknown_person", ["--person", "nobody", "list"]],
    [3, "unknown_person", ["--person", "nobody", "stats"]],
    [3, "unknown_id", ["show", "nobody-knows"]],
    [3, "unknown_id", ["forget", "nobody", "--yes"]],
    [3, "unknown_id", ["restore", "nobody"]],
    [4, "store_not_ours", ["--path", "notes.txt", "list"]],
    [2, "option_invalid", ["--path", "a folder", "list"]],
    [4, "store_read_only", ["--path", "notes.txt/memory.db", "commit", "x"]],
    [4, "store_not_ours", ["--key-file", "notes.txt", "list"]],
    [2, "option_invalid", ["migrate", "--from", "notes.txt", "--to", "never.db", "--from-key-file", "not-there.key"]],
    [4, "store_missing", ["migrate", "--from", "not-there.db", "--to", "never.db"]],
    [4, "store_not_ours", ["migrate", "--from", "notes.txt", "--to", "never.db"]],
    [4, "store_failed", ["migrate", "--from", "mnemosyne.db", "--to", "redis://127.0.0.1:1"]],
  ])("exit with %i and %s: %j", async (exitCode, errorCode, args) => {
    await expectError(args, exitCode, errorCode);
  });

  test.concurrent.each([
    [["bogus"]],
    [["list", "--bogus"]],
    [["recall"]],
    [["recall", "Where?", "--budget", "-1"]],
    [["prune", "--count", "x"]],
    [["--set", "startCountMax", "list"]],
    [["graph", "--format", "svg"]],
    [["list", "--outcome", "vanished"]],
    [[]],
  ])("of usage exit with 2: %j", async (args) => {
    const { code, out, errors } = await run(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(errors.length).toBeGreaterThan(10);
  });

  test("are described in words without --json", async () => {
    const { code, out, errors } = await run(["show", "nobody"]);
    expect({ code, out }).toEqual({ code: 3, out: "" });
    expect(errors).toMatch(/^error unknown_id: .*nobody.*\n$/u);
  });

  test.concurrent.each([
    [["--key-file", "not-there.key", "list"], "key file not-there.key cannot be read: no such file"],
    [["commit", "--turns", "not-there.json"], "turns in not-there.json cannot be read: no such file"],
    [["import", "not-there.jsonl"], "not-there.jsonl cannot be read: no such file"],
    [["import", "a folder"], "a folder cannot be read: it is a folder"],
    [["export", "not/there.jsonl"], "not/there.jsonl cannot be written: no such folder"],
    [["eval", "locomo", "--data", "not-there.json"], "not-there.json cannot be read: no such file"],
    [["--path", "a folder", "list"], "a folder is a folder, not a database file; name a file, such as"],
  ])("with files are described in words: %j", async (args, message) => {
    expect((await run(args)).errors).toContain(`: ${message}`);
  });

  test("during an export leave an older file as it was, and name it", async () => {
    const message = await expectError(["export", join("not", "there", "x.jsonl")], 2, "option_invalid");
    expect(message).toContain("x.jsonl");
    writeFileSync(join(folder, "backup.jsonl"), "precious\n");
    await expectError(["--person", "nobody", "export", "backup.jsonl"], 3, "unknown_person");
    expect(readFileSync(join(folder, "backup.jsonl"), "utf8")).toBe("precious\n");
    await expectError(["--person", "nobody", "export", "new.jsonl"], 3, "unknown_person");
    expect(existsSync(join(folder, "new.jsonl"))).toBe(false);
  });

  test("left the memory as it was", async () => {
    const history = await runJson<{ id: string }[]>(["list", "--history"]);
    expect(history.map(({ id }) => id)).toEqual(interactions.map(({ id }) => id));
    expect(statSync(join(folder, "notes.txt")).size).toBe(33);
    expect(existsSync(join(folder, "never.db"))).toBe(false);
  });

  /** Runs a line of bash in which mnemosyne is the command under test. */
  function runInShell(line: string): Promise<{ code: number; errors: string }> {
    const script = `set -o pipefail; ${line.replace("mnemosyne", `"${process.execPath}" "${program}"`)}`;
    return new Promise((resolve) => {
      execFile("bash", ["-c", script], { cwd: folder }, (error, _out, errors) => {
        resolve({ code: error === null ? 0 : Number(error.code), errors });
      });
    });
  }

  test.concurrent.each(["parameters --json", "list --history", "export", "--help"])(
    "do not include a reader that closes the pipe early: %s",
    async (command) => {
      expect(await runInShell(`mnemosyne ${command} | true`)).toEqual({ code: 0, errors: "" });
    },
  );

  test
    .runIf(existsSync("/dev/full"))
    .concurrent.each(["list", "list --json", "export", "--help", "graph --format dot"])(
    "include a full disk under standard output: %s",
    async (command) => {
      const { code, errors } = await runInShell(`mnemosyne ${command} > /dev/full`);
      expect(code).toBe(2);
      expect(errors).toMatch(
        /^[^\n]*option_invalid[^\n]*standard output cannot be written: the disk is full[^\n]*\n$/u,
      );
    },
  );

  test.runIf(existsSync("/dev/full"))("a full disk under standard error too leaves only the exit code", async () => {
    expect((await runInShell("mnemosyne show nobody 2> /dev/full")).code).toBe(3);
    expect((await runInShell("mnemosyne list > /dev/full 2>&1")).code).toBe(2);
  });
});
