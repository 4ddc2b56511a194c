/** The page for judges in a real browser that has no network: judged, closed, saved, loaded, and scored. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { writeAudit } from "../../../src/report/audit.js";
import type { JudgmentSheet, StudyKey } from "../../../src/study/study-format.js";
import type { StudyScores } from "../../../src/study/study-scores.js";
import { measureContrast } from "../contrast.mjs";
import { hasBrowser, launchBrowser, launchOptions } from "../../../../server/test/inspector/quiet-chromium.js";
import { header, recordOf, recordsOf, runStudy } from "./study-audit.js";

const systems = ["mnemosyne", "lapwing-rag", "teal"];
const hostile = `</script><img src="https://example.invalid/x.png"><b>bold</b> ${"unbroken".repeat(40)}`;

describe.runIf(hasBrowser)("the page for judges", () => {
  const folder = mkdtempSync(join(tmpdir(), "mnemosyne-study-"));
  const file = (name: string): string => join(folder, name);
  const address = pathToFileURL(file("page.html")).href;
  let browser: Browser;
  let key: StudyKey;
  let contexts: BrowserContext[] = [];
  let requests: string[] = [];
  let troubles: string[] = [];

  beforeAll(async () => {
    const records = [
      ...recordsOf(systems, 3),
      recordOf("teal", 9, { context: hostile, at: "2025-03-09T23:30:00-05:00" }),
    ];
    records.push(recordOf("mnemosyne", 9), recordOf("lapwing-rag", 9));
    await writeAudit(file("audit.jsonl"), header, records);
    const made = await runStudy("make", file("audit.jsonl"), "--systems", systems.join(), "--out", file("page.html"));
    expect(made).toMatchObject({ code: 0, errors: "" });
    key = JSON.parse(readFileSync(file("page.key.json"), "utf8")) as StudyKey;
    browser = await launchBrowser();
  });

  afterEach(async () => {
    for (const context of contexts) await context.close();
    const seen = { troubles, elsewhere: requests.filter((url) => !url.startsWith("file:")) };
    [contexts, requests, troubles] = [[], [], []];
    expect(seen).toEqual({ troubles: [], elsewhere: [] });
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ offline: true, viewport: { width: 1200, height: 800 }, ...options });
    contexts.push(context);
    return openIn(context);
  }

  async function openIn(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => troubles.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") troubles.push(message.text());
    });
    await page.goto(address);
    await shown(page);
    return page;
  }

  /** The page reads what it has kept before it shows anything. */
  const shown = async (page: Page): Promise<void> => void (await page.waitForSelector("#progress-text:not(:empty)"));

  async function save(page: Page, name: string): Promise<JudgmentSheet> {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    expect(download.suggestedFilename()).toMatch(/^judgments-[\da-f]{8}-.+\.json$/u);
    await download.saveAs(file(name));
    return JSON.parse(readFileSync(file(name), "utf8")) as JudgmentSheet;
  }

  const place = (page: Page): Promise<string> => page.innerText("#place");
  const judged = (page: Page): Promise<string> => page.innerText("#progress-text");

  it("contains no system's name, loads nothing, and allows only its own script", () => {
    const html = readFileSync(file("page.html"), "utf8");
    expect(html).not.toMatch(/mnemosyne|lapwing|teal/iu);
    expect(html.replaceAll("https://example.invalid", "")).not.toMatch(/https?:|\b(?:src|href)=(?!\\")/u);
    expect(html).toContain("default-src 'none'; script-src 'sha256-");
    expect(html).not.toContain("unsafe");
  });

  it("works with mouse and keys, survives a reload, and its judgments are saved, loaded elsewhere and scored", async () => {
    const page = await open();
    expect(await judged(page)).toBe("0 of 12 judged");
    expect(await place(page)).toMatch(/^1 of 12, asked on \w+, \d+ March 2025$/u);
    await page.fill("#judge", "A. T. 10");
    await page.click("#choose-left");
    await page.keyboard.press("2");
    await page.keyboard.press("0");
    await page.keyboard.press("t");
    expect(await place(page)).toMatch(/^5 of 12/u);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    expect(await page.getAttribute("#choose-tie", "aria-pressed")).toBe("true");
    await page.fill("#note", "1 and 2 say the same");
    await page.keyboard.press("Escape");
    await page.keyboard.press("1");
    expect(await page.innerText("#status")).toBe("Text 1 chosen for 3 of 12.");

    await page.reload();
    await shown(page);
    expect(await judged(page)).toBe("4 of 12 judged");
    expect(await place(page)).toMatch(/^5 of 12/u);
    expect(await page.inputValue("#judge")).toBe("A. T. 10");
    const sheet = await save(page, "early.json");
    expect(sheet.judgments).toEqual([
      { item: "1", choice: "left" },
      { item: "2", choice: "right" },
      { item: "3", choice: "left", note: "1 and 2 say the same" },
      { item: "4", choice: "tie" },
    ]);
    expect(sheet).toMatchObject({ pack: key.pack, judge: "A. T. 10" });

    const elsewhere = await open();
    await elsewhere.setInputFiles("#load-file", file("early.json"));
    await expect.poll(() => judged(elsewhere)).toBe("4 of 12 judged");
    for (let i = 0; i < 8; i++) await elsewhere.keyboard.press("2");
    expect(await elsewhere.innerText("#end-title")).toContain("last one");
    const whole = await save(elsewhere, "whole.json");
    expect(whole.judgments).toHaveLength(12);
    expect(whole.sheet).toBe(sheet.sheet);

    const { code, out, errors } = await runStudy("score", file("whole.json"), "--key", file("page.key.json"), "--json");
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    const scores = JSON.parse(out) as StudyScores;
    expect(scores.judges).toEqual([{ judge: "A. T. 10", judgmentCount: 12 }]);
    const winners = whole.judgments.map(({ item, choice }) => {
      const { left, right } = key.items.find(({ id }) => id === item)!;
      return choice === "tie" ? "tie" : choice === "left" ? left : right;
    });
    for (const system of systems) {
      expect(scores.systems[system]!.wins).toBe(winners.filter((winner) => winner === system).length);
    }
  });

  it("keeps each judgment when the page is loaded again at once, and when the browser is closed", async () => {
    const page = await open();
    for (let count = 1; count <= 12; count++) {
      await page.keyboard.press("1");
      await page.reload();
      await shown(page);
      expect(await judged(page)).toBe(`${count} of 12 judged`);
    }
    for (const count of [1, 2]) {
      const context = await chromium.launchPersistentContext(file("profile"), launchOptions);
      const again = await openIn(context);
      expect(await judged(again)).toBe(`${count - 1} of 12 judged`);
      await again.keyboard.press("1");
      await context.close();
    }
  });

  it("shows texts as they are, whatever is in them", async () => {
    const page = await open();
    const number = key.items.findIndex(({ questionId, right }) => questionId === "q9" && right === "teal");
    const other = key.items.findIndex(({ questionId, left }) => questionId === "q9" && left === "teal");
    const [at, side] = number === -1 ? [other, "#left"] : [number, "#right"];
    for (let i = 0; i < at; i++) await page.keyboard.press("ArrowRight");
    expect(await page.textContent(side)).toBe(hostile);
    expect(await place(page)).toContain("Sunday, 9 March 2025");
    expect(await page.locator("b, img").count()).toBe(0);
  });

  it("stays at a choice when asked to, and says what is still open at the end", async () => {
    const page = await open();
    await page.uncheck("#advance");
    await page.keyboard.press("1");
    expect(await place(page)).toMatch(/^1 of 12/u);
    expect(await page.locator("#left-card").getAttribute("class")).toBe("is-chosen");
    for (let i = 0; i < 14; i++) await page.keyboard.press("ArrowRight");
    expect(await page.innerText("#end-title")).toBe("11 still open");
    await page.click("#first-open");
    expect(await place(page)).toMatch(/^2 of 12/u);
  });

  it("refuses files of other pages, and asks before it replaces judgments", async () => {
    const page = await open();
    await page.keyboard.press("2");
    const sheet = await save(page, "mine.json");
    const sheetWith = (judgments: readonly unknown[]): string => JSON.stringify({ ...sheet, judgments });
    let refusedCount = 0;
    const refused = async (text: string, reason: string): Promise<void> => {
      const name = `wrong-${++refusedCount}.json`;
      writeFileSync(file(name), text);
      await page.setInputFiles("#load-file", file(name));
      await expect.poll(() => page.textContent("#notice")).toBe(`${name} was not loaded: ${reason}`);
      expect(await judged(page)).toBe("1 of 12 judged");
    };
    await refused("{", "it is not JSON.");
    await refused("null", "it is not a file of judgments.");
    await refused(JSON.stringify({ ...sheet, pack: "other" }), "it belongs to another page.");
    await refused(JSON.stringify({ ...sheet, judge: 1 }), "it is incomplete.");
    await refused(sheetWith([{ item: "99", choice: "left" }]), "it contains an invalid judgment.");
    await refused(sheetWith([{ item: "1", choice: "up" }]), "it contains an invalid judgment.");
    await refused(sheetWith([null]), "it contains an invalid judgment.");

    const questions: string[] = [];
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      void (questions.length === 1 ? dialog.dismiss() : dialog.accept());
    });
    writeFileSync(file("other.json"), sheetWith([]));
    await page.setInputFiles("#load-file", file("other.json"));
    await expect.poll(() => questions.length).toBe(1);
    expect(await judged(page)).toBe("1 of 12 judged");
    await page.setInputFiles("#load-file", file("other.json"));
    await expect.poll(() => judged(page)).toBe("0 of 12 judged");
  });

  it("begins a new sheet for another judge", async () => {
    const page = await open();
    await page.keyboard.press("1");
    const first = await save(page, "first.json");
    page.on("dialog", (dialog) => void dialog.accept());
    await page.click("summary");
    await page.click("#restart");
    expect(await judged(page)).toBe("0 of 12 judged");
    await page.keyboard.press("2");
    const second = await save(page, "second.json");
    expect(second.sheet).not.toBe(first.sheet);
    expect(second.judgments).toEqual([{ item: "1", choice: "right" }]);
  });

  it("follows judgments in another tab", async () => {
    const page = await open();
    const tab = await page.context().newPage();
    await tab.goto(address);
    await shown(tab);
    await tab.keyboard.press("1");
    await expect.poll(() => judged(page)).toBe("1 of 12 judged");
  });

  it.each(["IDBFactory.prototype.open", "IDBObjectStore.prototype.put"])(
    "warns if the browser stores nothing (%s)",
    async (failing) => {
      const page = await open();
      await page.addInitScript(`${failing} = () => { throw new Error("full"); }`);
      await page.reload();
      await shown(page);
      expect(await page.isVisible("#notice")).toBe(false);
      await page.keyboard.press("1");
      expect(await page.innerText("#notice")).toContain("does not store your judgments");
      expect((await save(page, "kept.json")).judgments).toEqual([{ item: "1", choice: "left" }]);
    },
  );

  it.each([320, 390, 700, 1600])("has no horizontal scroll at a width of %i", async (width) => {
    const page = await open({ viewport: { width, height: 700 } });
    for (const id of ["", ...key.items.map((item) => item.id)]) {
      const widths = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
      expect(widths, `item ${id}`).toEqual([width, width]);
      await page.keyboard.press("ArrowRight");
    }
  });

  it("shows the texts side by side, or one above the other on a narrow screen", async () => {
    const tops = async (width: number): Promise<boolean> => {
      const page = await open({ viewport: { width, height: 700 } });
      const [left, right] = [
        await page.locator("#left-card").boundingBox(),
        await page.locator("#right-card").boundingBox(),
      ];
      return left!.y === right!.y;
    };
    expect([await tops(1200), await tops(390)]).toEqual([true, false]);
  });

  it("shows where the focus is", async () => {
    const page = await open();
    const focused: unknown[] = [];
    for (let i = 0; i < 11; i++) {
      await page.keyboard.press("Tab");
      focused.push(
        await page.evaluate("[document.activeElement.id, getComputedStyle(document.activeElement).outline]"),
      );
    }
    const order = "save,,judge,advance,load,restart,note,choose-left,choose-tie,choose-right,forward".split(",");
    expect(focused).toEqual(order.map((id) => [id, "rgb(27, 79, 138) solid 3px"]));
  });

  const texts = [
    "h1, h2, h3, legend, summary, label, .help p, dd, #place, #progress-text, #status",
    "#left, #right, #note, #save, #restart, #choose-left, #choose-tie, #choose-right, #forward",
  ].join();

  it.each(["light", "dark"] as const)("has a contrast of at least 4.5 in %s", async (colorScheme) => {
    const page = await open({ colorScheme });
    await page.uncheck("#advance");
    await page.keyboard.press("1");
    await page.click("summary");
    await page.mouse.move(0, 0);
    const faint: string[] = [];
    const seen = await page.locator(`:is(${texts}):visible`).all();
    for (const element of seen) {
      const contrast = await element.evaluate(measureContrast);
      if (contrast < 4.5) faint.push(`${await element.innerText()}: ${contrast.toFixed(1)}`);
    }
    expect(seen.length).toBeGreaterThan(20);
    expect(faint).toEqual([]);
    await page.evaluate("document.getElementById('question').style.color = 'gray'");
    await page.evaluate("document.getElementById('question').style.opacity = '0.5'");
    expect(await page.locator("#question").evaluate(measureContrast)).toBeLessThan(4.5);
  });

  it("names every control for screen readers", async () => {
    const page = await open();
    for (const name of ["Back", "Forward", "Save judgments", "Text 1", "Tie", "Text 2", "Load saved judgments"]) {
      expect(await page.getByRole("button", { name, exact: true }).count(), name).toBe(1);
    }
    expect(await page.getByLabel("Note (optional)").count()).toBe(1);
    expect(await page.getByLabel("Your name or initials (optional)").count()).toBe(1);
    expect(await page.getByRole("progressbar", { name: "0 of 12 judged" }).count()).toBe(1);
    expect(await page.getByRole("group", { name: "Which would help more to answer?" }).count()).toBe(1);
  });
});
