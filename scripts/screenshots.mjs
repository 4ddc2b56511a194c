// `npm run screenshots`: pictures of the inspector with the demo's person, in both themes and at phone width, into
// docs/inspector-*.png, with docs/inspector-pictures.json to say from which source. With --url a server that runs already is
// used, with --out another folder, with --only some of them, with --all more than the documents show.
import { createHash } from "node:crypto";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../", import.meta.url));
const { values: options } = parseArgs({
  options: {
    url: { type: "string" },
    out: { type: "string", default: `${root}docs` },
    only: { type: "string" },
    all: { type: "boolean" },
  },
});

/** Name, address behind the #, and whether the documents show it. */
const knee = "q=How+is+my+knee+doing%3F&seed=7";
const scenes = [
  ["graph", "hester/graph", false],
  ["memory", "hester/graph?memory=i045", true],
  ["recall", "hester/recall?q=What+am+I+allergic+to%3F&seed=7&at=2025-07-13T09%3A00%3A00.000Z&scene=1", true],
  ["recall-end", `hester/recall?${knee}&at=2025-07-13T09%3A00%3A00.000Z`, false],
  ["time", `hester/time?${knee}&at=2025-03-20T09%3A00%3A00.000Z`, true],
  ["log", "hester/log", true],
  ["core", "hester/core", true],
  ["what-if", `hester/what-if?${knee}&set=decayFloor:0.3,explorationFactor:5`, true],
  ["overview", "hester/overview", true],
];
const looks = [
  ["light", { colorScheme: "light", viewport: { width: 1360, height: 820 } }],
  ["dark", { colorScheme: "dark", viewport: { width: 1360, height: 820 } }],
  ["phone", { colorScheme: "light", viewport: { width: 390, height: 844 } }],
];
const restMs = 1_500;

const server = options.url === undefined ? await startDemo() : { url: options.url, stop: async () => {} };
const browser = await chromium.launch({
  executablePath: process.env.MNEMOSYNE_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  for (const [look, context] of looks) {
    for (const [name, address, isShown] of scenes) {
      const isWanted = options.only === undefined ? isShown || options.all : `${name}-${look}`.includes(options.only);
      if (!isWanted) continue;
      await takePicture(context, address, join(options.out, `inspector-${name}-${look}.png`));
    }
  }
  const isWhole = options.only === undefined && options.all !== true && options.out === `${root}docs`;
  if (isWhole) writeFileSync(`${root}docs/inspector-pictures.json`, `${JSON.stringify(describePictures(), null, 2)}\n`);
} finally {
  await browser.close();
  await server.stop();
}

/** test/inspector/pictures.test.ts computes the same. */
function describePictures() {
  const folder = `${root}src/inspector`;
  const names = readdirSync(folder, { recursive: true }).filter((name) => /\.(?:tsx?|css)$/u.test(name));
  const hash = createHash("sha256");
  for (const name of names.toSorted()) hash.update(name).update(readFileSync(join(folder, name)));
  const pictures = looks.flatMap(([look]) =>
    scenes.flatMap(([name, , isShown]) => (isShown ? [`inspector-${name}-${look}.png`] : [])),
  );
  return { source: hash.digest("hex"), pictures };
}

async function takePicture(look, address, path) {
  const context = await browser.newContext({ ...look, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(`${server.url}/#/${address}`);
  await page.waitForSelector("main h2, main canvas");
  if (await page.$(".stage")) await page.waitForSelector('.stage[data-laid-out="true"]');
  if (address.includes("q=")) await page.waitForSelector(".context, .answer, .difference");
  // The stream of events never ends, so that the network is never idle.
  await page.waitForTimeout(restMs);
  await page.screenshot({ path });
  await context.close();
  process.stdout.write(`${path}\n`);
}

async function startDemo() {
  const folder = mkdtempSync(join(tmpdir(), "mnemosyne-screenshots-"));
  const args = ["dist/cli/main.js", "--json", "--path", join(folder, "demo.db"), "serve", "--demo", "--port", "0"];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+/u.exec(text);
      if (found !== null) resolve(found[0]);
    });
    child.on("exit", () => reject(new Error("the server did not start")));
  });
  const stop = async () => {
    child.kill();
    await new Promise((resolve) => child.once("exit", resolve));
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, stop };
}
