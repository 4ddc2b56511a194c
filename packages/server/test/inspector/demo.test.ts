/** The demo's person as a visitor meets her: the program started from the shell, with its own embedder and judge. */
import { type ChildProcess, spawn } from "node:child_process";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../../test/docs/project-files.js";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { Visits, hasBrowser, laidOut, seriousProblems } from "./inspector-server.js";
import { KeyboardUser } from "./keyboard-user.js";

/** Half a year of conversations is remembered first. */
const startMsMax = 400_000;

describe.runIf(hasBrowser)("the demo", () => {
  const folder = new ScratchFolder();
  const visits = new Visits();
  let server: ChildProcess;
  let url: string;

  beforeAll(async () => {
    const args = ["dist/cli/main.js", "--json", "--path", folder.next(), "serve", "--demo", "--port", "0"];
    server = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "ignore"] });
    url = await new Promise((resolve, reject) => {
      let text = "";
      server.stdout!.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        const found = /http:\/\/127\.0\.0\.1:\d+/u.exec(text);
        if (found !== null) resolve(found[0]);
      });
      server.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
    });
    await visits.start();
  }, startMsMax);
  afterEach(() => visits.end());
  afterAll(async () => {
    await visits.stop();
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill();
    await ended;
  });

  it("shows her graph without a choice, and answers what she is allergic to, as sure of it as it says", async () => {
    const page = await visits.open(url);
    await laidOut(page);
    expect(page.url()).toMatch(/#\/hester\/graph$/u);
    await page.click('nav >> text="Recall"');
    await page.fill(".finder textarea", "What am I allergic to?");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".context");
    expect(await page.textContent(".context")).toContain("penicillin");
    expect(await page.innerText(".confidence")).toMatch(/9\d % that the memory holds an answer/u);
    await page.fill(".player input", "2");
    await page.waitForSelector(".draw .formula");
    expect(await page.innerText(".draw")).toMatch(/weight × [\d.]+ decay at .+ × [\d.]+ mu = [\d.]+/u);
    expect(await seriousProblems(page)).toEqual([]);
  });

  it("shows at once what other parameters would do to her memory", async () => {
    const page = await visits.open(`${url}/#/hester/what-if`);
    await page.waitForSelector('.difference:text-is("The same memories are recalled.")');
    for (const name of ["decayFloor", "decayMidpointDays", "startCountMax"]) {
      await page.fill('input[type="search"] >> nth=0', name);
      await page.focus(`[data-parameter="${name}"] input[type=range]`);
      await page.keyboard.press("End");
      await page.waitForSelector('.difference:has-text("recalled only with this")');
      expect(await page.innerText(".difference"), name).toMatch(/^[1-9]\d* memor(?:y is|ies are) recalled only/u);
      await page.click(`[data-parameter="${name}"] >> text=back to`);
      await page.waitForSelector('.difference:text-is("The same memories are recalled.")');
    }
  });

  it("walks through a draw with Tab, and its words are explained", async () => {
    const user = await KeyboardUser.at(
      visits,
      `${url}/#/hester/recall?q=How+is+my+knee+doing%3F&seed=7&at=2025-07-13T09%3A00%3A00.000Z&scene=2`,
    );
    await user.page.waitForSelector(".draw .formula");
    expect((await user.walk()).faults).toEqual([]);
    expect(await user.page.locator(".terms dt").allInnerTexts()).toEqual(["weight", "decay", "mu", "draw"]);
  });

  it("did not know in January what happened in March", async () => {
    const page = await visits.open(
      `${url}/#/hester/time?q=Was+my+wound+infected%3F&seed=7&at=2025-04-01T00%3A00%3A00.000Z`,
    );
    await page.waitForSelector('.answer:has-text("doxycycline")');
    await page.goto(`${url}/#/hester/time?q=Was+my+wound+infected%3F&seed=7&at=2025-01-20T00%3A00%3A00.000Z`);
    await expect.poll(() => page.textContent(".finder"), { timeout: 20_000 }).not.toContain("doxycycline");
    expect(await page.innerText(".finder h2")).toBe("20 Jan 2025");
  });

  it("has her facts in areas with their sources, and versions side by side", async () => {
    const page = await visits.open(`${url}/#/hester/core`);
    await page.waitForSelector('.area:has-text("Allergies and alerts"):has-text("penicillin")');
    await page.waitForSelector(".versions .version >> nth=1");
    expect(await page.locator(".versions .only-entered, .versions .only-left").count()).toBeGreaterThan(0);
    expect(await seriousProblems(page)).toEqual([]);
    await page.click('.area:has-text("Allergies and alerts") .link >> nth=0');
    await page.waitForSelector('.panel-text:has-text("pre-operative assessment")');
  });
});
