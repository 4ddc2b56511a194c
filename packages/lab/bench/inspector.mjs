// `npm run bench:inspector`: how fast the inspector shows 2,000 and 10,000 memories: time to the first graph, to the laid-out
// one, and the time between frames while it is moved and zoomed. The memories are synthetic and the server is this process,
// answering with one graph; the browser is Chromium without a GPU, which is the slow case. --counts 2000 for some. With
// --sigma, sigma draws the same graph in the same browser, too; bench/sigma has its packages. With --built, an inspector that
// was built into another folder is measured as well, to compare before and after in one run; --rounds repeats everything.
import { readFileSync, readdirSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { describeMeasured, makeGraph, measureGraph, serveGraph } from "./graph-in-browser.mjs";
import { sigmaPages } from "./sigma/build.mjs";

const { values: options } = parseArgs({
  options: {
    counts: { type: "string", default: "2000,10000" },
    rounds: { type: "string", default: "1" },
    sigma: { type: "boolean", default: false },
    built: { type: "string" },
  },
});
const built = fileURLToPath(new URL("../../server/dist/inspector/", import.meta.url));
const contestants = [readBuilt("inspector", built)];
if (options.built !== undefined) contestants.push(readBuilt(options.built, `${options.built}/`));
if (options.sigma) contestants.push(...(await sigmaPages()));

for (const { name, files } of contestants) {
  const bytes = [...files].reduce((sum, [path, each]) => (path === "/" ? sum : sum + gzipSync(each).length), 0);
  process.stdout.write(`${name}: ${(bytes / 1e3).toFixed(1)} kB compressed\n`);
}
const browser = await chromium.launch({
  executablePath: process.env.MNEMOSYNE_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--enable-unsafe-swiftshader"],
});
try {
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const count of options.counts.split(",").map(Number)) {
      for (const contestant of contestants) await measure(contestant, count);
    }
  }
} finally {
  await browser.close();
}

async function measure({ name, files, address }, count) {
  const server = await serveGraph(files, makeGraph(count));
  try {
    const measured = await measureGraph(browser, server.url + address);
    process.stdout.write(`${name}, ${count} memories: ${describeMeasured(measured)}\n`);
  } finally {
    await server.stop();
  }
}

function readBuilt(name, folder) {
  const files = new Map(
    readdirSync(folder, { recursive: true })
      .filter((path) => extname(path) !== "")
      .map((path) => [`/${path}`, readFileSync(folder + path)]),
  );
  files.set("/", files.get("/index.html"));
  return { name, files, address: "/#/ada/graph" };
}
