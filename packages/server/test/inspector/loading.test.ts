/** A view loads what it shows: the sentences it names, not everything that somebody remembers. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { type TestServer, Visits, fillWithCore, hasBrowser, startInspector } from "./inspector-server.js";

/** More than the log shows at first. */
const manyCount = 200;

describe.runIf(hasBrowser)("somebody with many memories", () => {
  const folder = new ScratchFolder();
  const visits = new Visits();
  let server: TestServer;
  const day = (count: number): string => new Date(Date.UTC(2025, 6, 1 + count)).toISOString();

  beforeAll(async () => {
    server = await startInspector(folder.next());
    const ada = server.mnemosyne.person("ada");
    await fillWithCore(server.mnemosyne, "ada");
    const correction = "I am not allergic to penicillin, only to plaster.";
    await ada.correct("allergy", correction, { id: "no-allergy", at: day(0) });
    await ada.coreSummary({ update: true });
    for (let i = 0; i < manyCount; i++) {
      const text = `Note ${i}: parcel ${i * 7919} went to shelf ${i * 104_729}.`;
      await ada.commit({ id: `note-${i}`, turns: [{ who: "user", text }], at: day(1 + i), keep: true });
    }
    const text = "The choir rehearses every Thursday now, in the school.";
    const last = { id: "thursday", turns: [{ who: "user", text }], at: day(manyCount + 1), keep: true };
    await ada.commit({ ...last, updates: ["choir"] });
    await ada.settled();
    await visits.start();
  });
  afterEach(() => visits.end());
  afterAll(async () => {
    await visits.stop();
    await server.stop();
  });

  /** What a page asks the server for, in its order; ids are as they were asked for. */
  const asked = async (view: string): Promise<{ page: Page; paths: string[]; idsAsked: () => string[] }> => {
    const paths: string[] = [];
    const page = await visits.open(`${server.url}/#/ada/${view}`, {}, async (empty) => {
      empty.on("request", (request) => {
        const { pathname, search } = new URL(request.url());
        if (pathname.startsWith("/v1/persons/ada/")) paths.push(pathname.slice("/v1/persons/ada/".length) + search);
      });
    });
    const idsAsked = (): string[] =>
      paths.flatMap((path) => {
        const ids = new URLSearchParams(path.split("?")[1]).get("ids");
        return ids === null ? [] : (JSON.parse(ids) as string[]);
      });
    return { page, paths, idsAsked };
  };

  it("the log asks once for the sentences it names that are not on it, and for more when they are looked at", async () => {
    const { page, paths, idsAsked } = await asked("log");
    await page.click('.log li[data-interaction="thursday"] .log-line button:has-text("every Tuesday")', {
      trial: true,
    });
    expect(await page.locator(".log > li").count()).toBe(150);
    expect(paths.filter((path) => path.startsWith("graph"))).toEqual([]);
    expect(idsAsked()).toEqual(["choir"]);
    // The oldest that is shown: what it was compared with is older.
    const why = '.log li[data-interaction="note-51"] details';
    await page.click(`${why} summary`);
    await page.waitForSelector(`${why} li:has-text("most like")`);
    await page.waitForSelector(`${why} code`, { state: "detached" });
    expect(idsAsked()).toHaveLength(2);
    // Closed and opened again, they are there already.
    const before = paths.length;
    await page.click(`${why} summary`);
    await page.click(`${why} summary`);
    await page.waitForSelector(`${why} li:has-text("most like")`);
    expect(paths.length).toBe(before);
  });

  it("core memory asks only for what made a fact leave it", async () => {
    const { page, paths, idsAsked } = await asked("core");
    await page.waitForSelector('.change button:has-text("only to plaster")');
    expect(paths.filter((path) => path.startsWith("graph"))).toEqual([]);
    expect(idsAsked()).toEqual(["no-allergy"]);
  });

  it("what if asks for the sentences of what it lists as pruned, and for no others", async () => {
    const { page, paths, idsAsked } = await asked("what-if?q=choir&keep=100");
    await page.waitForSelector('[aria-label="Pruning"] .note:has-text("more")');
    await page.waitForSelector('[aria-label="Pruning"] li:has-text("went to shelf")');
    await page.waitForSelector(".repeated b");
    const listed = await page.locator('[aria-label="Pruning"] li').allInnerTexts();
    expect(listed).toHaveLength(20);
    for (const line of listed) expect(line).toMatch(/^\d\.\d+ \S+ \S/u);
    expect(paths.filter((path) => path.startsWith("graph"))).toEqual([]);
    expect(new Set(idsAsked()).size).toBe(20);
    expect(await page.innerText('[aria-label="Recall"]')).toContain("at the time of the last memory, 18 Jan 2026");
  });
});
