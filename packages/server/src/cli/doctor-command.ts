/** `mnemosyne doctor`: Node, store, encoder, people and language model, a line each, and how to fix what is wrong. */
import type { Command } from "commander";
import { openRecords } from "mnemosyne-edge/internal/opening.js";
import { Mnemosyne, MnemosyneError, describeDamage, parseParameters } from "mnemosyne-edge";
import { chooseLanguageModel, createLanguageModel, describeChoice } from "./language-model-settings.js";
import { wrap } from "./layout.js";
import { colours } from "./paint.js";
import { type Settings, hasDatabase, shownPath, toOptions } from "./settings.js";
import { countOf, formatBytes, print, printJson } from "./terminal.js";

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
}

type Found = Omit<Finding, "name">;

const exitDoctor = 6;
const nodeMajorMin = 20;
const nameWidth = "language model".length;
const damageCountMax = 10;
const modelRemedy = "start the server, or check address, model, key or file; until then every step is done without it";

export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .description("check database, embedder, language model and versions; say what is wrong and how to fix it")
    .addHelpText("after", "\nExample:\n  mnemosyne --path mnemosyne.db doctor")
    .action(async (_options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const checks = { "Node.js": checkNode, store: checkStore, encoder: checkEncoder, "language model": checkModel };
      const findings: Finding[] = [];
      for (const [name, check] of Object.entries(checks)) {
        const found = await check(settings).catch(failure);
        findings.push({ name, ...found });
        if (settings.json !== true) print(formatFinding(findings.at(-1)!));
      }
      if (settings.json === true) printJson({ ok: findings.every(({ ok }) => ok), findings });
      if (findings.some(({ ok }) => !ok)) process.exitCode = exitDoctor;
    });
}

function failure(error: unknown): Found {
  const isOurs = error instanceof MnemosyneError;
  return { ok: false, detail: isOurs ? `${error.code}: ${error.message}` : String(error) };
}

function formatFinding({ name, ok, detail, remedy }: Finding): string {
  const mark = ok ? colours.green("✓") : colours.red("✗");
  const line = wrap(`${name.padEnd(nameWidth)}  ${detail}`, `${mark} `, "    ");
  return ok || remedy === undefined ? line : `${line}\n${wrap(`${colours.yellow("fix it:")} ${remedy}`, "  ", "    ")}`;
}

async function checkNode(): Promise<Found> {
  const ok = Number(process.versions.node.split(".")[0]) >= nodeMajorMin;
  const detail = `${process.version} on ${process.platform}-${process.arch}`;
  return { ok, detail, remedy: `install Node.js ${nodeMajorMin} or newer` };
}

/** A store that does not exist yet is not created. */
async function checkStore(settings: Settings): Promise<Found> {
  const place = shownPath(settings.path);
  if (!(await hasDatabase(settings))) return describe(`nothing at ${place} yet; the first commit creates it`, []);
  const records = await openRecords(toOptions(settings));
  const damage = await records.damage().finally(() => records.close());
  const problems = damage.slice(0, damageCountMax).map(describeDamage);
  const mnemosyne = await Mnemosyne.open(toOptions(settings));
  try {
    const { byteCount, encrypted, warnings = [] } = (await mnemosyne.describe()).store;
    const persons = await mnemosyne.persons();
    for (const name of persons)
      problems.push(...(await mnemosyne.person(name).check()).map((bad) => `${name}: ${bad}`));
    const named = persons.length === 0 ? "" : ` (${persons.join(", ")})`;
    const size = `${formatBytes(byteCount)}${encrypted ? ", encrypted" : ""}`;
    return describe(`${place}, ${size}, ${countOf(persons.length, "person")}${named}`, [...problems, ...warnings]);
  } finally {
    await mnemosyne.close();
  }
}

function describe(detail: string, problems: readonly string[]): Found {
  const remedy = "see docs/data.md on damage (`mnemosyne export --skip-damaged` saves the rest) and docs/redis.md";
  return { ok: problems.length === 0, detail: [detail, ...problems].join("; "), remedy };
}

/** Lets the embedder and the reader read one sentence, in a memory of its own. */
async function checkEncoder(settings: Settings): Promise<Found> {
  const mnemosyne = await Mnemosyne.open({ ...toOptions(settings), path: ":memory:" });
  try {
    const startMs = performance.now();
    await mnemosyne.person("doctor").commit({ turns: [{ who: "user", text: "I live in Lisbon." }] }, { wait: true });
    const tookMs = Math.round(performance.now() - startMs);
    const { embedder, reader, timeZone } = await mnemosyne.describe();
    const names = reader === null ? embedder.name : `${embedder.name}, reader ${reader.name}`;
    return { ok: true, detail: `${names}, first commit in ${tookMs} ms, time zone ${timeZone}` };
  } finally {
    await mnemosyne.close();
  }
}

/** It has as much time as in any step of the memory, and what leaves the device is said. */
async function checkModel(settings: Settings): Promise<Found> {
  const choice = chooseLanguageModel(settings);
  if (choice === null) return { ok: true, detail: "none configured; every step works without one, nothing goes out" };
  const { modelTimeBudgetSeconds } = parseParameters(settings.set, settings.preset);
  const model = createLanguageModel(choice, { retryCountMax: 0 });
  try {
    const signal = AbortSignal.timeout(Math.ceil(modelTimeBudgetSeconds * 1000));
    const instruction = 'Reply with JSON only: {"answer": "yes"}';
    const schema = { type: "object", properties: { answer: { type: "string", enum: ["yes"] } }, required: ["answer"] };
    const reply = await model.complete({ instruction, text: "Can you hear me?", schema, signal });
    const ok = /["']?answer["']?\s*:\s*["']yes["']/u.test(reply);
    const heard = ok ? "answers" : "answers, but not in the JSON that it is asked for; try another model";
    return { ok, detail: `${describeChoice(choice)} ${heard}`, remedy: modelRemedy };
  } catch (error) {
    const late = { ok: false, detail: `${describeChoice(choice)}: no answer within ${modelTimeBudgetSeconds} s` };
    return { ...((error as Error).name === "TimeoutError" ? late : failure(error)), remedy: modelRemedy };
  } finally {
    await model.close?.();
  }
}
