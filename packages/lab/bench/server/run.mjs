/**
 * `npm run bench:server`: the server under load, killed, and compared with the library, for docs/server-benchmarks.md.
 * `--quick` takes some minutes and leaves the page alone; `--json` prints the figures too.
 */
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { commitWhileKilling } from "../../../server/test/server/killed-server.mjs";
import { ServedProcess } from "../../../server/test/server/served-process.mjs";
import { describeRun, endOnSignals, makeFolder } from "../harness.mjs";
import { fillFirst, measureLoad } from "./load.mjs";
import { measureModels } from "./models.mjs";
import { measureOverhead } from "./overhead.mjs";
import { makePage } from "./page.mjs";
import { everydayTalk, longTalk } from "./talks.mjs";
import { measureTiming } from "./timing.mjs";

const paces = { paced: 5_000, "as fast as they can": 0 };

async function main() {
  const options = { quick: { type: "boolean", default: false }, json: { type: "boolean", default: false } };
  const { quick: isQuick, json: isJson } = parseArgs({ options }).values;
  endOnSignals();
  const about = describeRun();
  const startMs = performance.now();
  const folder = makeFolder();
  const step = async (title, work) => {
    process.stderr.write(`${title} …\n`);
    const result = await work();
    return { ...result, loadAverage: loadavg()[0] };
  };
  const seconds = isQuick ? 8 : 60;
  const overhead = await step("REST and library", () => measureOverhead({ folder, pairCount: isQuick ? 100 : 1_000 }));
  const timing = await step("timing of refusals", () => measureTiming({ folder, pairCount: isQuick ? 500 : 5_000 }));
  const models = [];
  const loads = [];
  for (const talk of [everydayTalk(), longTalk()]) {
    models.push(await step(`models, ${talk.title}`, () => measureModels(talk)));
    process.stderr.write(`first memories of 100 persons, ${talk.title} …\n`);
    const first = await fillFirst(folder, talk);
    for (const [pace, pauseMs] of Object.entries(paces)) {
      const name = `${talk.title}, ${pace}`;
      loads.push(await step(name, () => measureLoad({ folder, first, talk, name, seconds, pauseMs })));
    }
  }
  const killed = await step("killed", () => measureKilled(folder, isQuick));
  const results = {
    about,
    overhead,
    timing,
    models,
    loads,
    killed,
    minutes: (performance.now() - startMs) / 60_000,
  };
  if (isJson) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  const page = makePage(results);
  process.stdout.write(page);
  if (!isQuick) writeFileSync(new URL("../../../../docs/server-benchmarks.md", import.meta.url), page);
}

async function measureKilled(folder, isQuick) {
  const served = await ServedProcess.start({ path: join(folder, "killed.db") });
  try {
    return await commitWhileKilling({ served, personCount: 20, killCount: isQuick ? 2 : 5, killEveryMs: 2_000 });
  } finally {
    await served.stop();
  }
}

await main();
process.exit();
