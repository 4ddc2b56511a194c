/**
 * A scene for any store: processes write to it at once and are killed and started again; afterwards every write that was
 * acknowledged is there once, and of no other write there is a part.
 */
import { setTimeout as delay } from "node:timers/promises";
import { createRandom } from "../../src/text/random.js";
import { type Store, type StoredRecord, dueLists } from "../../src/stores/store.js";
import { type Child, startChild } from "../durability/child-process.js";
import { findContradictions } from "./scenes-records.mjs";

export interface FireScene {
  /** The folder of the store in stores/. */
  readonly engine: string;
  /** For `open` of its class. */
  readonly options: object;
  readonly workerCount: number;
  readonly personCount: number;
  readonly killCount: number;
  readonly seed: string;
  /** Happens to the store before each kill, such as the end of its server. */
  readonly disturb: () => Promise<void>;
}

export interface FireReport {
  /** Everything that is not as it has to be; empty if all is well. */
  readonly findings: readonly string[];
  readonly acknowledgedCount: number;
  readonly refusedCount: number;
  /** Writes that a kill cut off, and how many of them are there. */
  readonly cutCount: number;
  readonly cutKeptCount: number;
}

const pauseMaxMs = 500;
const startMaxMs = 30_000;
/** Numbers on the lists are smaller. */
const greatestDue = 1e9;

export async function underFire(scene: FireScene, openStore: () => Promise<Store>): Promise<FireReport> {
  const random = createRandom(scene.seed);
  const persons = Array.from({ length: scene.personCount }, (_, i) => `person ${i}`);
  const runs: Child[] = [];
  const start = (): Child => {
    const { engine, options, seed } = scene;
    const worker = `w${runs.length}`;
    const child = startChild("../stores/scenes-child.mjs", {
      engine,
      options,
      worker,
      persons,
      seed: `${seed} ${worker}`,
    });
    runs.push(child);
    return child;
  };
  const working = Array.from({ length: scene.workerCount }, start);
  for (let kill = 0; kill < scene.killCount; kill++) {
    const position = Math.floor(random() * working.length);
    const child = working[position]!;
    await firstAcknowledged(child);
    await delay(random() * pauseMaxMs);
    await scene.disturb();
    await child.kill();
    working[position] = start();
  }
  await Promise.all(working.map(firstAcknowledged));
  for (const child of working) child.say("stop");
  await Promise.all(working.map((child) => child.succeeded()));

  const store = await openStore();
  try {
    return await judge(store, persons, runs);
  } finally {
    await store.close();
  }
}

/** A child that ended by itself, or does not begin to work, is a failure with what it said. */
async function firstAcknowledged(child: Child): Promise<void> {
  const limit = new AbortController();
  const isLate = delay(startMaxMs, true, { signal: limit.signal }).catch(() => false);
  const begins = child.until((lines) => lines.some((line) => line.startsWith("acknowledged"))).then(() => false);
  const wasLate = await Promise.race([begins, isLate]);
  limit.abort();
  if (child.said("acknowledged").length > 0) return;
  const why = wasLate ? "does not begin to work" : "ended";
  throw new Error(`a process ${why}: ${child.lines.slice(-5).join("\n")}\n${child.errors}`);
}

async function judge(store: Store, persons: readonly string[], runs: readonly Child[]): Promise<FireReport> {
  const said = (word: string): string[] => runs.flatMap((run) => run.said(word));
  const nameOf = (line: string): string => line.slice(line.lastIndexOf(" w") + 1).split(" ")[0]!;
  const namesOf = (word: string): Set<string> => new Set(said(word).map(nameOf));
  const [begun, acknowledged, refused] = [namesOf("begun"), namesOf("acknowledged"), namesOf("refused")];
  const findings = said("contradiction").map((line) => `a process read: ${line}`);
  findings.push(...(await store.damage()).map((damage) => JSON.stringify(damage)));
  if ((await store.persons()).join() !== persons.toSorted().join()) findings.push("other persons are listed");
  const kept = new Set<string>();
  for (const person of persons) {
    const records: StoredRecord[] = [];
    const { pages, revision } = await store.read(person);
    for await (const page of pages) records.push(...page.records);
    const note = (finding: string): number => findings.push(`${person}: ${finding}`);
    for (const each of findContradictions(records)) note(each);
    for (const { id, kind } of records) if (kind === "pair") kept.add(nameOf(` ${id.split(".")[0]}`));
    if (new Set(records.map(({ version }) => version)).size < records.length) note("versions repeat");
    if (records.some(({ place }, i) => i > 0 && place <= records[i - 1]!.place)) note("places do not grow");
    for (const list of dueLists) {
      const [due] = await store.due(list, { before: greatestDue, limit: 1, person });
      const count = records.filter((record) => record.due?.[list] !== undefined).length;
      if ((due?.count ?? 0) !== count) note(`${due?.count} records are on the list ${list}, not ${count}`);
    }
    const revisions = said("acknowledged").flatMap((line) => {
      return line.startsWith(`${person} w`) ? [Number(line.slice(line.lastIndexOf(" ")))] : [];
    });
    if (Math.max(...revisions) > revision) note(`the revision went back to ${revision}`);
  }
  for (const name of acknowledged) if (!kept.has(name)) findings.push(`${name} was acknowledged, and is lost`);
  for (const name of refused) if (kept.has(name)) findings.push(`${name} was refused, and is there`);
  for (const name of kept) if (!begun.has(name)) findings.push(`${name} is there, and nobody wrote it`);
  const cut = [...begun].filter((name) => !acknowledged.has(name) && !refused.has(name));
  return {
    findings,
    acknowledgedCount: acknowledged.size,
    refusedCount: refused.size,
    cutCount: cut.length,
    cutKeptCount: cut.filter((name) => kept.has(name)).length,
  };
}
