// Goes on for minutes with faults at random, through the public door, on every store. `npm run test:full` plays one minute.
// The same seed plans the same faults and inputs.
//
//   --minutes 10     how long       --only kills,writers  these kinds only
//   --seed 1         which plan     --seed 1.17          with --only, the one scenario that was printed with this seed
//
// Kinds: kills, writers, servers, damage, full-disk. It prints each scenario that failed, with its seed, and a table in the
// end; it ends with 1 if anything in its last columns is above 0. Folders of failed scenarios are kept.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { constants, loadavg, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../../../../scripts/setup.mjs";
import { damage } from "./faults/damage.mjs";
import { fullDisk } from "./faults/full-disk.mjs";
import { kills } from "./faults/kills.mjs";
import { servers, writers } from "./faults/writers.mjs";
import { parseSeed, planOf, scenarioOf } from "./plan.mjs";
import { Scene } from "./scene.mjs";
import { Servers, allStores } from "./servers.mjs";
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
const running = new Servers();
say(`seed ${options.seed}; ${kinds.map(({ kind }) => kind).join(", ")}; ${folder}`);
const missing = allStores.filter((store) => running.isMissing(store));
if (missing.length > 0) say(`no servers for ${missing.join(", ")}: their scenarios are left out`);
await (number === null ? playForMinutes(Number(options.minutes)) : play(scenarioOf(kinds[0], seed, number)));
await running.stop();
say(`\n${tally.format()}`);
say(`seed ${options.seed}; load ${loadavg()[1].toFixed(1)}`);
if (tally.isClean) rmSync(folder, { recursive: true, force: true });
else say(`failed; what is left of the failed scenarios is in ${folder}`);
process.exit(tally.isClean ? 0 : 1);

function chooseKinds() {
  const all = [kills, writers, servers, damage, fullDisk];
  const wanted = options.only?.split(",");
  const names = all.map(({ kind }) => kind);
  if (wanted?.some((name) => !names.includes(name))) throw new RangeError(`--only ${options.only}: there are ${names}`);
  if (number !== null && wanted?.length !== 1)
    throw new RangeError(`--seed ${options.seed} needs --only with one kind`);
  return all.filter(({ kind }) => wanted === undefined || wanted.includes(kind));
}

async function playForMinutes(minutes) {
  const endMs = performance.now() + minutes * 60_000;
  for (const scenario of planOf(kinds, seed)) {
    if (performance.now() > endMs) return;
    if (!missing.includes(scenario.store)) await play(scenario);
  }
}

async function play({ play: { run }, ...scenario }) {
  const name = `${scenario.kind}-${scenario.seed}-${scenario.store}`;
  const server = await running.of(scenario.store);
  const scene = new Scene({ ...scenario, folder: join(folder, name), server });
  const startMs = performance.now();
  try {
    await run(scene);
    await scene.end();
  } catch (error) {
    scene.note("harness", error.stack);
  }
  tally.add(scene);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  const { acknowledged, refusedCount, findings } = scene;
  if (findings.length === 0) rmSync(scene.folder, { recursive: true, force: true });
  else reportFailure(scene);
  say(`${name}: ${acknowledged.size} acknowledged, ${refusedCount} refused, ${findings.length} faults, ${seconds} s`);
}

function reportFailure({ kind, seed, store, folder, findings }) {
  say(`FAILED ${kind} on ${store}: --only ${kind} --seed ${seed}${existsSync(folder) ? `, ${folder}` : ""}`);
  for (const { fault, what } of findings.slice(0, shownFindingsMax)) say(`  ${fault}: ${what.slice(0, 400)}`);
  if (findings.length > shownFindingsMax) say(`  and ${findings.length - shownFindingsMax} more`);
}
