// `npm run screenshots`: pictures of the inspector with the demo's person, in both themes and at phone width, into
// docs/inspector-*.png. With --url a server that runs already is used, with --out another folder, with --only some of them.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values: options } = parseArgs({
  options: { url: { type: "string" }, out: { type: "string", default: `${root}docs` }, only: { type: "string" } },
});

/** Name, address behind the #, and what is done there before the picture is taken. */
const scenes = [
  ["graph", "hester/graph"],
  ["memory", "hester/graph?memory=i045"],
  ["recall", "hester/recall?q=What+am+I+allergic+to%3F&seed=7&at=2025-07-13T09%3A00%3A00.000Z&scene=1"],
  ["recall-end", "hester/recall?q=How+is+my+knee+doing%3F&seed=7&at=2025-07-13T09%3A00%3A00.000Z"],
  ["time", "hester/time?q=How+is+my+knee+doing%3F&seed=7&at=2025-03-20T09%3A00%3A00.000Z"],
  ["log", "hester/log"],
  ["core", "hester/core"],
  ["what-if", "hester/what-if?q=How+is+my+knee+doing%3F&seed=7&set=decayFloor:0.3,explorationFactor:5"],
  ["overview", "hester/overview"],
];
const looks = [
  ["light", { colorScheme: "light", viewport: { width: 1360, height: 820 } }],
  ["dark", { colorScheme: "dark", viewport: { width: 1360, height: 820 } }],
  ["phone", { colorScheme: "light", viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }],
];

const restMs = 1_500;

const server = options.url === undefined ? await startDemo() : { url: options.url, stop: async () => {} };
const browser = await chromium.launch({
  executablePath: process.env.MNEMOSYNE_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  for (const [look, context] of looks) {
    for (const [name, address] of scenes) {
      if (options.only !== undefined && !`${name}-${look}`.includes(options.only)) continue;
      await takePicture(context, address, join(options.out, `inspector-${name}-${look}.png`));
    }
  }
} finally {
  await browser.close();
  await server.stop();
}

async function takePicture(look, address, path) {
  const context = await browser.newContext({ ...look, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(`${server.url}/#/${address}`);
  await page.waitForSelector("main h2, main canvas");
  if (await page.$(".stage")) await page.waitForSelector('.stage[data-laid-out="true"]');
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
