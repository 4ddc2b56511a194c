// `npm run screenshots`: pictures of the inspector with the demo's person in both themes, into docs/inspector-*.png. With
// --url a server that runs already is used; with --all every view, at phone width too, into the folder that --out names.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../", import.meta.url));
const { values: options } = parseArgs({
  options: { url: { type: "string" }, out: { type: "string", default: `${root}docs` }, all: { type: "boolean" } },
});

const allergic = "q=What+am+I+allergic+to%3F&seed=7&at=2025-07-13T09%3A00%3A00.000Z";
const knee = "q=How+was+my+knee+last+March%3F&seed=7&at=2025-07-13T09%3A00%3A00.000Z";
/** Name, address behind the #, what is there once it is loaded, and whether the documents show it. */
const scenes = [
  ["recall", `hester/recall?${allergic}&scene=1`, ".context", true],
  ["overview", "hester/overview", ".figures", true],
  ["graph", "hester/graph?memory=i045", ".panel-text", false],
  ["recall-time", `hester/recall?${knee}&scene=0`, ".context", false],
  ["recall-draw", `hester/recall?${knee}&scene=3`, ".context", false],
  ["recall-end", `hester/recall?${knee}`, ".context", false],
  ["time", "hester/time?q=How+is+my+knee+doing%3F&seed=7&at=2025-03-20T09%3A00%3A00.000Z", ".answer", false],
  ["log", "hester/log", ".log li", false],
  ["core", "hester/core", ".fact", false],
];
const desktop = { width: 1280, height: 720 };
const looks = [
  ["light", { colorScheme: "light", viewport: desktop }, true],
  ["dark", { colorScheme: "dark", viewport: desktop }, true],
  ["phone", { colorScheme: "light", viewport: { width: 390, height: 844 } }, false],
];
const restMs = 1_000;

mkdirSync(options.out, { recursive: true });
const server = options.url === undefined ? await startDemo() : { url: options.url, stop: async () => {} };
const browser = await chromium.launch({
  executablePath: process.env.MNEMOSYNE_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-background-networking"],
});
try {
  for (const [look, context, isLookShown] of looks) {
    for (const [name, address, awaited, isShown] of scenes) {
      if (!options.all && !(isShown && isLookShown)) continue;
      await takePicture(context, address, awaited, join(options.out, `inspector-${name}-${look}.png`));
    }
  }
} finally {
  await browser.close();
  await server.stop();
}

async function takePicture(look, address, awaited, path) {
  const context = await browser.newContext({ ...look, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.on("pageerror", (error) => process.stderr.write(`${address}: ${error.message}\n`));
  await page.goto(`${server.url}/#/${address}`);
  await page.waitForSelector(awaited);
  if (await page.$(".stage")) await page.waitForSelector('.stage[data-laid-out="true"]');
  // The stream of events never ends, so that the network is never idle.
  await page.waitForTimeout(restMs);
  await page.screenshot({ path });
  await context.close();
  process.stdout.write(`${path}\n`);
}

async function startDemo() {
  const folder = mkdtempSync(join(tmpdir(), "mnemosyne-screenshots-"));
  const program = join(root, "packages/server/dist/cli/main.js");
  const args = [program, "--json", "--path", join(folder, "demo.db"), "serve", "--demo", "--port", "0"];
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
