/** `mnemosyne eval` as a shell runs it, on a tiny journey and a tiny conversation. */
import { type ExecFileException, execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { readAudit } from "../../src/report/audit.js";
import { readChats } from "../../src/data/chats.js";
import type { Dataset } from "../../src/data/dataset.js";
import { evaluate } from "../../src/evaluation.js";
import { readJourneys } from "../../src/data/journeys.js";
import { readRecordedReplies } from "../../src/data/recorded-replies.js";
import { readLocomo } from "../../src/data/locomo.js";
import type { EvaluationReport } from "../../src/report/report.js";
import { selectSystems } from "../../src/systems/systems.js";
import { HashingEmbedder } from "../../../memory/test/durability/hashing-embedder.mjs";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { hasGit, makeRepository } from "../eval/git-repository.js";
import { makeChat, makeJourney, makeReplies, writeChats, writeJourney, writeLocomo } from "../eval/tiny-data.js";

const program = fileURLToPath(new URL("../../../server/dist/cli/main.js", import.meta.url));
const scratch = new ScratchFolder();
const cache = scratch.next("");
const journeys = scratch.next("");
const locomo = scratch.next(".json");
const chats = [scratch.next(".json"), scratch.next(".json")];
const replies = scratch.next(".json");
const compared = ["naive-rag", "bm25", "mnemosyne"];
const common = ["--systems", compared.join(","), "--cache", cache];

/** The real embedder is slow; its cache is filled with made-up vectors for every text, so that it is not needed. */
beforeAll(async () => {
  writeLocomo(locomo);
  chats.forEach((file, i) => writeChats(file, [{ ...makeChat(), id: `chat-${i + 1}` }]));
  const read: Dataset[] = [
    await readJourneys(writeJourney(journeys)),
    await readLocomo(locomo),
    await readLocomo(locomo, { turnsOnly: true }),
    await readChats(chats),
  ];
  writeFileSync(replies, JSON.stringify(makeReplies()));
  const fill = (dataset: Dataset, recorded: object = {}): Promise<unknown> => {
    const embedder = new HashingEmbedder({ name: "minilm-l6-v2", dimensions: 384 });
    const systems = selectSystems([...compared, "mnemosyne-paper"]);
    return evaluate(dataset, { systems, embedder, seed: 1, cacheFolder: cache, ...recorded });
  };
  for (const dataset of read) await fill(dataset);
  await fill(read[0]!, { replies: await readRecordedReplies(replies) });
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

function run(...args: string[]): Promise<Ran> {
  return runIn(scratch.path, "eval", ...args);
}

function runIn(cwd: string, ...args: string[]): Promise<Ran> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...args], { cwd }, (error, out, errors) => {
      const code = error === null ? 0 : (error as ExecFileException).code;
      if (typeof code === "number") resolve({ code, out, errors });
      else reject(error as Error);
    });
  });
}

async function refusal(...args: string[]): Promise<string> {
  const { code, out, errors } = await run(...args, "--json");
  expect({ code, out }).toEqual({ code: 2, out: "" });
  return (JSON.parse(errors) as { error: { message: string } }).error.message;
}

describe("journeys", () => {
  it("as JSON: one object with every system, its kinds, intervals and differences", async () => {
    const { code, out, errors } = await run("journeys", "--data", journeys, ...common, "--json", "--seed", "4");
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    const report = JSON.parse(out) as EvaluationReport;
    expect(report).toMatchObject({ dataset: "journeys", groups: ["ada"], count: 3, seed: 4, embedder: "minilm-l6-v2" });
    expect(Object.keys(report.systems)).toEqual(compared);
    const { all, byKind, versusMnemosyne } = report.systems["bm25"]!;
    const measures = ["hit3", "ndcg3", "recall3", "recall10", "contextTokens"];
    expect(Object.keys(all)).toEqual(["count", ...measures, "intervals"]);
    expect(Object.keys(all.intervals)).toEqual(measures);
    expect(Object.keys(versusMnemosyne!)).toEqual(measures);
    expect(Object.keys(byKind)).toEqual(["single", "change"]);
    expect(report.substance!.all).toHaveProperty("mundane.recall");
    expect(report.redundancy!.all).toHaveProperty("changedDetailMerged");
  });

  it("as text: a table, kinds and filters; with an audit file and a chart", async () => {
    const [save, plot] = [scratch.next(".jsonl"), scratch.next(".svg")];
    const args = ["--data", journeys, ...common, "--only", "ada", "--save", save, "--plot", plot];
    const { code, out, errors } = await run("journeys", ...args);
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    expect(out).toMatch(/^bm25 +\d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\]/mu);
    expect(out).toContain("single (2)");
    expect(out).toContain("Redundancy filter");
    const { header, records } = await readAudit(save);
    expect(header).toMatchObject({ dataset: "journeys", seed: 1 });
    expect(records).toHaveLength(3 * compared.length);
    expect(readFileSync(plot, "utf8")).toMatch(/^<svg [\s\S]*<\/svg>\n$/u);
  });

  it("with recorded replies of a model and without: report and audit name their file", async () => {
    const save = scratch.next(".jsonl");
    const args = ["journeys", "--data", journeys, ...common, "--recorded", replies, "--save", save];
    const { code, out, errors } = await run(...args, "--json");
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    const report = JSON.parse(out) as EvaluationReport;
    expect(report.replies).toBe(basename(replies));
    expect(report.substance!.all).toMatchObject({ mundaneDiscarded: 1, substantialDiscarded: 0 });
    expect((await readAudit(save)).header.replies).toBe(basename(replies));
    const printed = (await run(...args)).out.replaceAll(/\s+/gu, " ");
    expect(printed).toContain(`recorded replies ${basename(replies)},`);
    expect(printed).toContain("With the recorded replies lead: the system minus itself without a model");
    expect(Object.keys(report.systems)).toEqual([...compared, "mnemosyne-without-model"]);
    const [recorded, bare] = ["mnemosyne", "mnemosyne-without-model"].map((name) => report.systems[name]!);
    const { difference } = recorded!.versusWithoutModel!.contextTokens!;
    expect(difference).toBeCloseTo(recorded!.all.contextTokens! - bare!.all.contextTokens!, 9);
    expect(difference).not.toBe(0);
    expect(report.systems["naive-rag"]).not.toHaveProperty("versusWithoutModel");
  });

  it("with recorded replies, both presets unless systems are named, and only the journey they are of", async () => {
    const folder = scratch.next("");
    writeJourney(folder);
    writeFileSync(join(folder, "eve.json"), JSON.stringify({ ...makeJourney(), id: "eve" }));
    const args = ["journeys", "--data", folder, "--cache", cache, "--recorded", replies, "--json"];
    const { groups, systems } = JSON.parse((await run(...args)).out) as EvaluationReport;
    expect(groups).toEqual(["ada"]);
    const plain = ["mnemosyne-paper", "mnemosyne"];
    expect(Object.keys(systems)).toEqual(plain.flatMap((name) => [name, `${name}-without-model`]));
  });

  it("the same seed prints the same", async () => {
    const args = ["journeys", "--data", journeys, ...common, "--json"];
    expect((await run(...args)).out).toBe((await run(...args)).out);
  });
});

it("the plain report shows how far mnemosyne is ahead of the others and of its ablations", async () => {
  const args = ["--cache", cache, "--systems", "bm25,mnemosyne,without-lexical"];
  const { code, out } = await run("journeys", "--data", journeys, ...args);
  expect(code).toBe(0);
  const number = String.raw`[-+ ]\d\.\d{3}`;
  const lead = String.raw` +\d\.\d{3}  ${number} \[${number}, ${number}\]`;
  const [, compared, ablations] = out.split(/^Compared|^Ablations/mu);
  const { out: withNaive } = await run("journeys", "--data", journeys, ...common);
  const [, against] = withNaive.split(/^Against naive-rag/mu);
  expect(against).toMatch(new RegExp(`^mnemosyne${lead}${lead}$`, "mu"));
  expect(compared).toMatch(new RegExp(`^bm25${lead}${lead}$`, "mu"));
  expect(ablations).toMatch(new RegExp(`^without-lexical${lead}${lead}$`, "mu"));
  const [scores] = out.split("Compared");
  expect(scores).not.toContain("without-lexical");
});

describe("what the figures came from", () => {
  const { version } = JSON.parse(readFileSync(new URL("../../../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };

  it("is in the plain report and in the audit", async () => {
    const save = scratch.next(".jsonl");
    const args = ["--set", "startCountMax=3", "eval", "journeys", "--data", journeys, ...common, "--save", save];
    const { code, out } = await runIn(scratch.path, ...args);
    expect(code).toBe(0);
    const facts = out.split("\n\n").at(-1)!.replaceAll("\n", " ");
    expect(facts).toContain(`Seed 1, embedder minilm-l6-v2, --set startCountMax=3, version ${version}, commit `);
    const { header } = await readAudit(save);
    expect(header).toMatchObject({ version, embedder: "minilm-l6-v2", parameters: { startCountMax: 3 } });
  });

  it.skipIf(!hasGit)("is not the repository the program is called in", async () => {
    const folder = scratch.next("");
    mkdirSync(folder);
    const foreign = makeRepository(folder);
    const { out } = await runIn(folder, "eval", "journeys", "--data", journeys, "--systems", "bm25", "--json");
    const report = JSON.parse(out) as EvaluationReport;
    expect(report.version).toBe(version);
    expect(report.commit).not.toBe(foreign);
  });
});

describe("plot", () => {
  const save = async (...args: string[]): Promise<string> => {
    const file = scratch.next(".json");
    writeFileSync(file, (await run(...args, ...common, "--json")).out);
    return file;
  };

  it("draws the reports of both data sets side by side", async () => {
    const files = [await save("journeys", "--data", journeys), await save("locomo", "--data", locomo)];
    const chart = scratch.next(".svg");
    const { code, out } = await run("plot", ...files, "--out", chart, "--systems", "bm25,mnemosyne", "--title", "Both");
    expect(code).toBe(0);
    expect(out).toBe(`2 systems in ${chart}: bm25, mnemosyne\n`);
    const svg = readFileSync(chart, "utf8");
    for (const text of ["Both", "Care journeys, 3 questions", "LoCoMo, 3 questions", "mnemosyne"]) {
      expect(svg).toContain(`>${text}</text>`);
    }
    expect(svg).not.toContain("naive-rag");
  });

  it("names the data sets as requested, one name for each", async () => {
    const file = await save("journeys", "--data", journeys);
    const chart = scratch.next(".svg");
    const two = await run("plot", file, file, "--out", chart, "--names", "Ours <1>,Yours");
    expect(two.code).toBe(0);
    const svg = readFileSync(chart, "utf8");
    for (const text of ["Ours &lt;1>, 3 questions", "Yours, 3 questions"]) expect(svg).toContain(`>${text}</text>`);
    const one = await run("plot", file, file, "--out", chart, "--names", "Ours");
    expect(one.code).toBe(2);
  });

  it("refuses a file that is not a report, and a system that is in none", async () => {
    const report = await save("journeys", "--data", journeys);
    const chart = scratch.next(".svg");
    expect(await refusal("plot", report, "--out", chart, "--systems", "oracle")).toMatch(/"oracle" is in no report/u);
    const spoil = (change: (report: EvaluationReport) => unknown): string => {
      const file = scratch.next(".json");
      writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(report, "utf8")) as EvaluationReport)));
      return file;
    };
    const odd = spoil((known) => ({ ...known, systems: { bm25: { all: { count: 3, hit3: 2 } } } }));
    expect(await refusal("plot", odd, "--out", chart)).toMatch(
      /systems\.bm25\.all\.hit3 must be a number from 0 to 1/u,
    );
    const empty = spoil((known) => ({ ...known, systems: {} }));
    expect(await refusal("plot", empty, "--out", chart)).toMatch(/no system to draw/u);
    expect(existsSync(chart)).toBe(false);
  });
});

it("LoCoMo has evidence by budget and the answerable kinds", async () => {
  const { code, out } = await run("locomo", "--data", locomo, ...common, "--json");
  expect(code).toBe(0);
  const { systems } = JSON.parse(out) as EvaluationReport;
  expect(systems["bm25"]!.all).toMatchObject({ count: 3, evidence2000: 2 / 3 });
  expect(systems["bm25"]!.answerable).toMatchObject({ count: 2 });
  const { out: text } = await run("locomo", "--data", locomo, ...common);
  expect(text).toContain("2 without evidence skipped");
  expect(text).toContain("evidence@500");
});

it("LoCoMo without its summaries is a data set of its own", async () => {
  const args = ["locomo", "--data", locomo, "--turns-only", ...common];
  const { code, out } = await run(...args, "--json");
  expect(code).toBe(0);
  const report = JSON.parse(out) as EvaluationReport;
  expect(report).toMatchObject({ dataset: "locomo-turns", count: 3 });
  // With summaries its context has no words of the evidence.
  expect(report.systems["naive-rag"]!.all).toMatchObject({ evidence2000: 1 });
  const [file, chart] = [scratch.next(".json"), scratch.next(".svg")];
  writeFileSync(file, out);
  expect((await run("plot", file, "--out", chart)).code).toBe(0);
  expect(readFileSync(chart, "utf8")).toContain(">LoCoMo without summaries, 3 questions</text>");
});

describe("chats", () => {
  it("of several files have evidence by budget, kinds and differences", async () => {
    const { code, out, errors } = await run("chats", ...chats, ...common, "--json");
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    const report = JSON.parse(out) as EvaluationReport;
    expect(report).toMatchObject({ dataset: "chats", groups: ["chat-1", "chat-2"], count: 6, skippedQuestionCount: 2 });
    const { all, byKind, versusMnemosyne } = report.systems["bm25"]!;
    // The second question of each has no word of the chat.
    expect(all).toMatchObject({ count: 6, evidence2000: 2 / 3 });
    expect(Object.keys(byKind)).toEqual(["single", "multi", "inference"]);
    expect(Object.keys(versusMnemosyne!)).toContain("evidence1000");
  });

  it("can be chosen by their name", async () => {
    const { code, out } = await run("chats", ...chats, "--only", "chat-2", ...common);
    expect(code).toBe(0);
    expect(out).toMatch(/^chats +3 questions, 1 without evidence skipped\nchat-2\n/u);
  });

  it("are those of the repository if no file is named", async () => {
    const { code, out } = await run("chats", "--systems", "bm25", "--only", "startup-devs", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ dataset: "chats", groups: ["startup-devs"], count: 24 });
  });
});

it("the help names every system", async () => {
  const { out } = await run("journeys", "--help");
  const missing = selectSystems(["all"]).filter(({ name }) => !out.includes(name));
  expect(missing).toEqual([]);
});

describe("mistakes end with code 2 and name what is wrong:", () => {
  it("a path, a folder or a file that is not there", async () => {
    expect(await refusal("journeys", "--data", scratch.next(""))).toMatch(/is not a readable folder/u);
    expect(await refusal("locomo", "--data", scratch.next(".json"))).toMatch(/cannot be read/u);
    expect(await refusal("chats", chats[0]!, scratch.next(".json"))).toMatch(/cannot be read/u);
  });

  it("an empty folder", async () => {
    const folder = scratch.next("");
    mkdirSync(folder);
    expect(await refusal("journeys", "--data", folder)).toMatch(/contains no journey/u);
  });

  it("a field", async () => {
    const journey = makeJourney();
    journey.interactions[3]!.at = "noon";
    const folder = writeJourney(scratch.next(""), journey);
    expect(await refusal("journeys", "--data", folder)).toMatch(/ada\.json: interactions\[3\]\.at must be a moment/u);
    const chat = makeChat();
    chat.questions[1]!.evidence = ["D3:1"];
    const file = writeChats(scratch.next(".json"), [chat]);
    expect(await refusal("chats", file)).toBe(
      `${file}: [0].questions[1].evidence[0] names "D3:1", which is not a message of the chat`,
    );
  });

  it("data without questions", async () => {
    const folder = writeJourney(scratch.next(""), { ...makeJourney(), queries: [] });
    expect(await refusal("journeys", "--data", folder)).toMatch(
      /ada\.json: queries must contain at least one question/u,
    );
  });

  it("a system, a journey, a file that cannot be written", async () => {
    expect(await refusal("journeys", "--data", journeys, "--systems", "oracle")).toMatch(/"oracle" is unknown/u);
    expect(await refusal("journeys", "--data", journeys, "--only", "eve")).toMatch(/use one of: ada/u);
    const nowhere = join(scratch.next(""), "missing", "chart.svg");
    expect(await refusal("journeys", "--data", journeys, "--plot", nowhere)).toMatch(/cannot be written/u);
    expect(existsSync(nowhere)).toBe(false);
  });

  it("recorded replies of another journey", async () => {
    const file = scratch.next(".json");
    writeFileSync(file, JSON.stringify({ ...makeReplies(), journey: "eve" }));
    expect(await refusal("journeys", "--data", journeys, "--recorded", file)).toMatch(/no "eve"; use one of: ada/u);
    const only = ["--only", "ada", "--recorded", file];
    expect(await refusal("journeys", "--data", journeys, ...only)).toMatch(/replies for eve, none for ada/u);
  });

  it("recorded replies that lack one", async () => {
    const file = scratch.next(".json");
    const content = makeReplies();
    for (const id of ["i3", "i5"]) delete content.replies[id];
    writeFileSync(file, JSON.stringify(content));
    expect(await refusal("journeys", "--data", journeys, "--recorded", file)).toMatch(
      /no reply for "i3", "i5": 2 of the 7 interactions of ada lack one/u,
    );
  });

  it("LoCoMo without --data", async () => {
    const { code, errors } = await run("locomo");
    expect(code).toBe(2);
    expect(errors).toContain("--data");
  });
});
