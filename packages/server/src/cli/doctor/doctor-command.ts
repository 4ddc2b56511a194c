/** `mnemosyne doctor`: checks platform, database, graphs, embedder and language model, and says how to fix what is wrong. */
import type { Command } from "commander";
import { isRedisUrl } from "mnemosyne-edge/internal/adapters/store/redis/options.js";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import {
  type CommitTrace,
  type HistoryItem,
  Mnemosyne,
  type MnemosyneDescription,
  type ModelStepTrace,
  StoreError,
  parseParameters,
} from "mnemosyne-edge";
import { hasDatabase, shownPath } from "../database.js";
import { findDamage } from "./damage-finding.js";
import { type Finding, databaseName, failure, formatFinding, trafficName } from "./doctor-finding.js";
import { checkRedis } from "./doctor-redis.js";
import { checkLanguageModel } from "./language-model-check.js";
import { chooseLanguageModel, openIfUsable } from "../language-model-settings.js";
import { type Settings, openMnemosyne, toOptions } from "../settings.js";
import { countOf, formatBytes, print, printJson } from "../terminal.js";

const exitDoctor = 6;
const nodeMajorMin = 20;

export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .description("check database, embedder, language model and versions; say what is wrong and how to fix it")
    .addHelpText("after", "\nExample:\n  mnemosyne --path mnemosyne.db doctor")
    .action(async (_options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const findings: Finding[] = [];
      for (const check of [checkNode, checkDatabase, checkModel, checkMemory]) {
        const found = await check(settings, findings);
        findings.push(...found);
        if (settings.json !== true) for (const finding of found) print(formatFinding(finding));
      }
      if (settings.json === true) printJson({ ok: findings.every(({ ok }) => ok), findings });
      if (findings.some(({ ok }) => !ok)) process.exitCode = exitDoctor;
    });
}

async function checkNode(): Promise<Finding[]> {
  const ok = Number(process.versions.node.split(".")[0]) >= nodeMajorMin;
  const detail = `${process.version} on ${process.platform}-${process.arch}`;
  return [{ name: "Node.js", ok, detail, remedy: `install Node.js ${nodeMajorMin} or newer` }];
}

/** The database itself. One that does not exist yet is not created. */
async function checkDatabase(settings: Settings): Promise<Finding[]> {
  const { path } = settings;
  if (path === ":memory:")
    return [{ name: databaseName, ok: true, detail: "in memory only; lost when the process ends" }];
  if (isRedisUrl(path)) return checkRedis(settings);
  if (!(await hasDatabase(settings)))
    return [{ name: databaseName, ok: true, detail: `${path} does not exist yet; the first commit creates it` }];
  try {
    const { encryptionKey } = toOptions(settings);
    const store = await SqliteStore.open({ path, ...(encryptionKey === undefined ? {} : { encryptionKey }) });
    const { byteCount, schemaVersion, encrypted, warnings = [] } = await store.describe();
    const damage = await store.damage();
    await store.close();
    const state = `${path}, ${formatBytes(byteCount)}, schema ${schemaVersion}${encrypted ? ", encrypted" : ""}`;
    return [
      findDamage(state, damage, settings),
      ...warnings.map((detail) => ({
        name: databaseName,
        ok: false,
        detail,
        remedy: "docs/data.md says what to do about damage and unfinished forgetting",
      })),
    ];
  } catch (error) {
    return [failure(databaseName, error)];
  }
}

async function checkModel(settings: Settings): Promise<Finding[]> {
  const findings = await checkConfiguredModel(settings);
  if (!isRedisUrl(settings.path)) return findings;
  const before = `memories to ${shownPath(settings.path)}; to a language model: `;
  return findings.map((finding) =>
    finding.name === trafficName ? { ...finding, detail: `${before}${finding.detail}` } : finding,
  );
}

async function checkConfiguredModel(settings: Settings): Promise<Finding[]> {
  try {
    const choice = chooseLanguageModel(settings);
    const { modelTimeBudgetSeconds } = parseParameters(settings.set, settings.preset);
    return await checkLanguageModel(choice, modelTimeBudgetSeconds);
  } catch (error) {
    const detail = "nothing while the language model cannot be used";
    return [failure("language model", error), { name: trafficName, ok: true, detail }];
  }
}

/** If the database is unusable, which was reported already, checks the rest without it. */
async function checkMemory(settings: Settings, before: readonly Finding[]): Promise<Finding[]> {
  let mnemosyne: Mnemosyne | undefined;
  try {
    // What is wrong with the model was reported already.
    const languageModel = openIfUsable(settings, () => {});
    mnemosyne = await openMnemosyne(settings, {
      ...((await hasDatabase(settings)) ? {} : { path: ":memory:" }),
      ...(languageModel === null ? {} : { languageModel }),
    });
    const startMs = performance.now();
    await mnemosyne.person("doctor").recall("Is the embedder working?");
    const tookMs = Math.round(performance.now() - startMs);
    const { embedder, embedderRuntime, judge, timeZone } = await mnemosyne.describe();
    const runtime = embedderRuntime === null ? "" : `, run by ${embedderRuntime}`;
    const findings: Finding[] = [
      {
        name: "embedder",
        ok: true,
        detail: `${embedder.name}, ${embedder.dimensions} dimensions, first question in ${tookMs} ms${runtime}`,
      },
      await checkJudge(settings, judge),
      { name: "time zone", ok: true, detail: timeZone },
    ];
    return [...findings, ...(await checkPersons(mnemosyne))];
  } catch (error) {
    const finding = failure("memory", error);
    const database = before.find(({ name }) => name === databaseName);
    const isReported = database?.ok === false && (error instanceof StoreError || finding.detail === database.detail);
    if (!isReported) return [finding];
    return settings.path === ":memory:" ? [] : checkMemory({ ...settings, path: ":memory:" }, before);
  } finally {
    await mnemosyne?.close();
  }
}

/** Lets it judge one sentence, in a memory of its own. */
async function checkJudge(settings: Settings, judge: MnemosyneDescription["judge"]): Promise<Finding> {
  const name = "judge";
  if (judge === null) return { name, ok: true, detail: "none; vectors and words alone decide" };
  let mnemosyne: Mnemosyne | undefined;
  try {
    // Without a language model, which was asked already.
    mnemosyne = await Mnemosyne.open({ ...toOptions(settings), path: ":memory:" });
    await mnemosyne.person("doctor").commit({ turns: [{ who: "user", text: "I live in Lisbon." }] }, { wait: true });
    const runtime = judge.runtime === null ? "" : `, run by ${judge.runtime}`;
    return { name, ok: true, detail: `${judge.name}${runtime}` };
  } catch (error) {
    return failure(name, error);
  } finally {
    await mnemosyne?.close();
  }
}

async function checkPersons(mnemosyne: Mnemosyne): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const name of await mnemosyne.persons()) {
    const memory = mnemosyne.person(name);
    const violations = await memory.check();
    const { memoryCount, refinedCount, outcomes } = await memory.statistics();
    const queued = outcomes.queued === undefined ? "" : `, ${outcomes.queued} in the queue`;
    const refined = refinedCount === 0 ? "" : `, ${refinedCount} refined by a language model`;
    const steps = describeSteps(await memory.history());
    const state = `${countOf(memoryCount, "memory")}${refined}${steps}${queued}`;
    const ok = violations.length === 0;
    const remedy = "export the person, forget --all, and import the export";
    findings.push({ name: `person ${name}`, ok, detail: ok ? state : `${state}: ${violations.join("; ")}`, remedy });
  }
  return findings;
}

/** Steps of a language model in everything that was submitted, counted by how they ended. */
function describeSteps(history: readonly HistoryItem[]): string {
  const counts = new Map<ModelStepTrace["how"], number>();
  for (const { trace } of history) {
    const { languageModel } = (trace ?? {}) as Partial<CommitTrace>;
    for (const { how } of languageModel?.steps ?? []) counts.set(how, (counts.get(how) ?? 0) + 1);
  }
  const shown = [...counts].map(([how, count]) => `${count} ${how}`);
  return shown.length === 0 ? "" : ` (steps: ${shown.join(", ")})`;
}
