/**
 * `npm run bench:hostile`: how long the caller's event loop is blocked by the worst texts that fit the limits, through the
 * whole life of a memory. Each case runs in its own process, several times; the lowest figure of each stage counts, since
 * other programs can only add to it. It fails if any text blocks far longer than ordinary sentences. `--only <part of a name>` keeps to some cases, `--runs <n>` sets how often.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Mnemosyne } from "mnemosyne-edge";
import { everything } from "./commit-recall.mjs";
import { EventLoopProbe } from "./event-loop.mjs";
import { answerParent, endOnSignals, formatTable, makeFolder, runInChild } from "./harness.mjs";

const characterCount = 99_000;
const turnCount = 1_000;
const questionLength = 10_000;
/** A text that blocks this many times as long as ordinary sentences of its length takes more than time proportional to it. */
const ordinary = "ordinary sentences";
const ratioMax = 5;
/** Shorter blocks may be anything. */
const blockMsMin = 200;

const fill = (piece, length = characterCount) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const words = "the knee was stiff on Monday and Dr. Osei gave her 5 mg of aspirin at 9.30 in Lisbon. ";
const distinct = (length) => {
  let text = "";
  for (let i = 0; text.length < length; i++) text += `w${(i * 7919).toString(36)}x${i % 7 === 0 ? ". " : " "}`;
  return text.slice(0, length);
};

/** One turn of each text, as long as an interaction may be. */
const texts = {
  [ordinary]: fill(words),
  "different words": distinct(characterCount),
  "knee and a line break": fill("knee\n"),
  "line breaks": `I fell.${fill("\n")}`,
  "mixed line breaks": fill("knee\r\n\n\r \n"),
  spaces: `I fell.${fill(" ")}`,
  "Dr.": fill("Dr. "),
  "A.": fill("A. "),
  "a.a.a.": fill("a.a."),
  "1. 1. 1.": fill("1. "),
  "one letter": fill("a"),
  "short words": fill("a "),
  digits: fill("7"),
  "numbers with separators": fill("1.2,3:4/"),
  brackets: fill("("),
  quotes: fill("\"'“”’"),
  apostrophes: fill("o'"),
  "question marks": fill("? "),
  "full stops": fill("."),
  Chinese: fill("我的膝盖昨天很疼医生说要休息。"),
  "Chinese without an end": fill("膝盖"),
  Thai: fill("เข่าของฉันเจ็บ"),
  "Chinese and Latin": fill("膝 knee "),
  emoji: fill("👩‍👩‍👧‍👦"),
  "emoji and words": fill("knee 👩‍👩‍👧‍👦 "),
  "combining marks": `I fell ${fill("e\u0301\u0302\u0323")}`,
  "nothing but marks": `I fell ${fill("\u0301")}`,
  Arabic: fill("ركبتي تؤلمني اليوم. "),
  "right to left marks": fill("knee \u202e\u200f"),
  addresses: fill("https://a.b.c/d?e=f&g=h#i/j.k "),
  "one address": `https://a.b/${fill("c/d.e-f_g?h=")}`,
  denials: fill("no no and no was "),
  "denials in one line": fill(", nothing was \\w "),
  dashes: fill("– no – "),
  names: fill("Ada Bea Cleo "),
  "letters beyond ASCII": fill("é"),
  "letters within and beyond ASCII": fill("aé"),
  "words without an end": fill("the knee was stiff "),
  "commas in a text": fill(","),
  hashes: `I fell ${fill("#")}`,
  "a number in a word": `I fell ${fill("7", characterCount - 10)}a`,
  "a long word between": `I no longer, je ${fill("a").slice(0, -40)} plus`,
  "one phrase repeated": `I${fill(" got")}`,
  "ends of things": fill("it was stopped "),
  "medicines without an end": fill("lisinopril "),
};

const questions = {
  "last last": fill("last ", questionLength) + "Monday",
  "the day after": fill("the day after ", questionLength),
  "the end of": fill("the end of ", questionLength),
  "early early": fill("early ", questionLength),
  "from and to": fill("from Monday to ", questionLength),
  "in in in": fill("in ", questionLength),
  dates: fill("3 March 2024, ", questionLength),
  months: fill("June and ", questionLength),
  "lists of days": fill("1, 2, 3 and ", questionLength),
  holidays: fill("Eid Diwali Easter ", questionLength),
  when: fill("when I fell ", questionLength),
  "short when": fill("when ", questionLength),
  "the week of": fill("the week of the ", questionLength),
  "before before": fill("before ", questionLength),
  genitives: fill("the carer's ", questionLength),
  changes: fill("changed since ", questionLength),
  commas: fill(",", questionLength),
  "spaces in a question": `knee${fill(" ", questionLength - 4)}`,
  "different words asked": distinct(questionLength),
  "Chinese question": fill("膝盖", questionLength),
  "than and": fill(" and", questionLength),
};

const cases = {
  ...Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      { turns: [{ who: "user", text: text.slice(0, characterCount).toWellFormed() }] },
    ]),
  ),
  "many turns": {
    turns: Array.from({ length: turnCount }, (_, i) => ({
      who: i % 2 === 0 ? "user" : "assistant",
      text: words.slice(0, 80),
    })),
  },
  "many turns, each someone": {
    turns: Array.from({ length: turnCount }, (_, i) => ({ who: `person ${i}`, text: `I fell ${i}.` })),
  },
  "a summary": { summary: fill(words) },
  "a summary, Dr.": { summary: fill("Dr. ") },
  "a summary of lines": { summary: fill("knee\n") },
  "a summary of numbers": { summary: distinct(characterCount).replaceAll("w", "1") },
  ...Object.fromEntries(
    Object.entries(questions).map(([name, question]) => [
      name,
      { question: question.slice(0, questionLength).toWellFormed() },
    ]),
  ),
};

/** The longest block of each stage, in ms. */
async function measureCase({ name, folder }) {
  const { question = "What hurt on Monday?", ...said } = cases[name];
  const path = join(folder, `${name.replaceAll(/\W/gu, "-")}-${process.pid}.db`);
  const blocks = {};
  const stage = async (stageName, work) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const probe = new EventLoopProbe();
    const result = await work();
    blocks[stageName] = probe.stop().longest;
    return result;
  };
  const open = () => Mnemosyne.open({ path, parameters: everything, timeZone: "Europe/London" });
  let mnemosyne = await open();
  let memory = mnemosyne.person("ada");
  await memory.commit({ turns: [{ who: "user", text: words }] });
  await memory.settled();
  await memory.recall("What hurt?", { seed: 1 });
  if (said.turns !== undefined || said.summary !== undefined) {
    await stage("commit", () => memory.commit(said));
    await stage("settle", () => memory.settled());
  }
  await stage("recall", () => memory.recall(question, { seed: 1 }));
  await stage("list", () => memory.graph());
  await stage("history", () => memory.history());
  const lines = await stage("export", async () => {
    const all = [];
    for await (const line of memory.export()) all.push(line);
    return all;
  });
  await stage("core", () => memory.coreSummary({ update: true }));
  await mnemosyne.close();
  mnemosyne = await open();
  memory = mnemosyne.person("ada");
  await stage("load", () => memory.list());
  await stage("import", () => mnemosyne.person("copy").import(lines));
  await stage("forget", () => memory.forgetAll());
  await mnemosyne.close();
  return blocks;
}

/** Of some rows of a name and its longest block, those that stand out. */
function findOutliers(rows) {
  const usual = rows.find(([name]) => name === ordinary)?.[1] ?? 0;
  return rows.filter(([, ms]) => ms > Math.max(blockMsMin, ratioMax * usual));
}

const stages = ["commit", "settle", "recall", "list", "history", "export", "core", "load", "import", "forget"];

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      child: { type: "boolean" },
      only: { type: "string", default: "" },
      runs: { type: "string", default: "3" },
    },
  });
  if (values.child) return answerParent({ measureCase }, positionals);
  endOnSignals();
  const folder = makeFolder();
  const rows = [];
  for (const name of Object.keys(cases).filter((each) => each.includes(values.only))) {
    const lowest = {};
    for (let run = 0; run < Number(values.runs); run++) {
      const blocks = await runInChild(fileURLToPath(import.meta.url), "measureCase", { name, folder });
      for (const [stage, ms] of Object.entries(blocks)) lowest[stage] = Math.min(lowest[stage] ?? Infinity, ms);
    }
    rows.push([name, Math.max(...Object.values(lowest)), ...stages.map((stage) => lowest[stage] ?? null)]);
    process.stderr.write(`${name}: ${rows.at(-1)[1].toFixed(0)} ms\n`);
  }
  const cells = rows.map(([name, ...blocks]) => [name, ...blocks.map((ms) => (ms === null ? "–" : Math.round(ms)))]);
  process.stdout.write(`${formatTable(["longest block, in ms", "any", ...stages], cells)}\n`);
  const outliers = findOutliers(rows);
  if (outliers.length === 0) return;
  process.stderr.write(`too long: ${outliers.map(([name]) => name).join(", ")}\n`);
  process.exitCode = 1;
}

await main();
