/**
 * `npm run bench:server`: the server under load, killed, and compared with the library, for docs/server-benchmarks.md.
 * `--quick` takes some minutes and leaves the page alone; `--json` prints the figures too.
 */
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { commitWhileKilling } from "../../test/server/killed-server.mjs";
import { ServedProcess } from "../../test/server/served-process.mjs";
import { describeRun, endOnSignals, makeFolder } from "../harness.mjs";
import { fillFirst, measureLoad } from "./load.mjs";
import { measureOverhead } from "./overhead.mjs";
import { makePage } from "./page.mjs";
import { measureTiming } from "./timing.mjs";

/** Nothing listens there: chats would fail, memories do not notice. */
const proxyOn = ["--upstream", "http://127.0.0.1:9/v1"];
const pauseMs = 5_000;

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
  process.stderr.write("first memories …\n");
  const first = await fillFirst(folder);
  const paced = await step("100 persons, paced", () => measureLoad({ folder, first, name: "paced", seconds, pauseMs }));
  const full = await step("100 persons, as fast as they can", () =>
    measureLoad({ folder, first, name: "full", seconds }),
  );
  const withProxy = await step("the same, proxy on", () =>
    measureLoad({ folder, first, name: "with-proxy", seconds, args: proxyOn }),
  );
  const killed = await step("killed", () => measureKilled(folder, isQuick));
  const results = {
    about,
    overhead,
    timing,
    paced,
    full,
    withProxy,
    killed,
    minutes: (performance.now() - startMs) / 60_000,
  };
  if (isJson) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  const page = makePage(results);
  process.stdout.write(page);
  if (!isQuick) writeFileSync(new URL("../../docs/server-benchmarks.md", import.meta.url), page);
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
