// Goes on for minutes with faults at random, through the public door, on every store. `npm run test:full` plays one minute.
// The same seed plans the same faults and inputs.
//
//   --minutes 10     how long       --only kills,writers  these kinds only
//   --seed 1         which plan     --seed 1.17          with --only, the one scenario that was printed with this seed
//
// Kinds: kills, full-disk, writers. It prints each scenario that failed, with its
// seed, and a table in the end; it ends with 1 if anything was lost, doubled, kept, different without a word, not an error
// of ours, aborted or hung. Folders of failed scenarios are kept.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { constants, loadavg, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../../../../scripts/setup.mjs";
import { RedisServer, hasRedis } from "../../../memory/test/stores/redis-server.mjs";
import { fullDisk } from "./faults/full-disk.mjs";
import { kills } from "./faults/kills.mjs";
import { writers } from "./faults/writers.mjs";
import { parseSeed, planOf, scenarioOf } from "./plan.mjs";
import { Scene } from "./scene.mjs";
import { Tally } from "./tally.mjs";

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string" },
  },
});
const say = (text) => process.stdout.write(`${text}\n`);
const { seed, number } = parseSeed(options.seed);
const kinds = chooseKinds();
const folder = mkdtempSync(join(tmpdir(), "mnemosyne-torture-"));
const tally = new Tally();
const shownFindingsMax = 6;

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
if (process.env.MNEMOSYNE_TEST_BUILD !== "kept") build();
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    say(tally.format());
    process.exit(1);
  });
}
const redis = hasRedis ? await RedisServer.start() : null;
say(`seed ${options.seed}; ${kinds.map(({ kind }) => kind).join(", ")}; ${folder}`);
if (redis === null) say("no redis-server: its scenarios are left out");
await (number === null ? playForMinutes(Number(options.minutes)) : play(scenarioOf(kinds[0], seed, number)));
await redis?.stop();
say(`\n${tally.format()}`);
say(
  `seed ${options.seed}; load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(" ")}`,
);
if (tally.isClean) rmSync(folder, { recursive: true, force: true });
else say(`failed; what is left of the failed scenarios is in ${folder}`);
process.exit(tally.isClean ? 0 : 1);

function chooseKinds() {
  const all = [kills, fullDisk, writers];
  const wanted = options.only?.split(",");
  const unknown = wanted?.filter((name) => !all.some(({ kind }) => kind === name)) ?? [];
  if (unknown.length > 0)
    throw new RangeError(`--only ${unknown.join(",")}: there are ${all.map(({ kind }) => kind).join(", ")}`);
  if (number !== null && wanted?.length !== 1)
    throw new RangeError(`--seed ${options.seed} needs --only with one kind`);
  return all.filter(({ kind }) => wanted === undefined || wanted.includes(kind));
}

async function playForMinutes(minutes) {
  const endMs = performance.now() + minutes * 60_000;
  for (const scenario of planOf(kinds, seed)) {
    if (performance.now() > endMs) return;
    if (redis !== null || !scenario.store.startsWith("redis")) await play(scenario);
  }
}

async function play({ play: { run }, ...scenario }) {
  const name = `${scenario.kind}-${scenario.seed}-${scenario.store}`;
  const scene = new Scene({ ...scenario, folder: join(folder, name), redis });
  const startMs = performance.now();
  try {
    await run(scene);
  } catch (error) {
    scene.note("harness", error.stack);
  }
  tally.add(scene);
  const tookS = ((performance.now() - startMs) / 1000).toFixed(1);
  if (scene.findings.length === 0) rmSync(scene.folder, { recursive: true, force: true });
  else reportFailure(scene);
  say(
    `${name}: ${scene.acknowledged.size} acknowledged, ${scene.refusedCount} refused, ${scene.findings.length} faults, ${tookS} s`,
  );
}

function reportFailure({ kind, seed, store, folder, findings }) {
  say(`FAILED ${kind} on ${store}: --only ${kind} --seed ${seed}${existsSync(folder) ? `, ${folder}` : ""}`);
  for (const { fault, what } of findings.slice(0, shownFindingsMax)) say(`  ${fault}: ${what.slice(0, 400)}`);
  if (findings.length > shownFindingsMax) say(`  and ${findings.length - shownFindingsMax} more`);
}
