/** What if: on a copy, with the memory's own formulas, and nothing of it stays. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ScratchFolder, databaseBytes } from "../../../memory/test/durability/scratch-folder.js";
import { type TestServer, Visits, fill, hasBrowser, seriousProblems, startInspector } from "./inspector-server.js";

const folder = new ScratchFolder();
const path = folder.next();
let server: TestServer;

beforeAll(async () => {
  server = await startInspector(path);
  await fill(server.mnemosyne, "ada");
});
afterAll(() => server.stop());

interface Answer {
  readonly recall: { readonly context: string; readonly memories: readonly { id: string }[] } | null;
  readonly pruned: readonly { id: string }[] | null;
}

async function ask(body: object): Promise<{ status: number; body: Answer & { detail?: string } }> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${server.url}/v1/persons/ada/what-if`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Answer };
}

const recall = { query: "Where does the choir rehearse?", seed: 7, at: "2025-06-01T00:00:00Z" };

describe("the copy", () => {
  it("recalls as the memory itself where nothing is changed, and otherwise where something is", async () => {
    const { context } = await server.mnemosyne.person("ada").recall(recall.query, { seed: 7, at: recall.at });
    const same = await ask({ parameters: {}, recall });
    expect(same.body.recall?.context).toBe(context);
    const other = await ask({ parameters: { contextTokenBudget: 60 }, recall });
    expect(other.body.recall!.context.length).toBeLessThan(context.length);
  });

  it("is pruned, and the store has not changed by a byte", async () => {
    await server.mnemosyne.settled();
    const before = databaseBytes(path);
    const { body } = await ask({ parameters: { decayFloor: 0.5 }, recall, prune: { memoryCountMax: 4 } });
    expect(body.pruned).toHaveLength(5);
    expect(databaseBytes(path).equals(before)).toBe(true);
    expect(await server.mnemosyne.person("ada").list()).toHaveLength(9);
  });

  it("refuses what is no parameter, and what is out of range", async () => {
    expect(await ask({ parameters: { colour: 1 } })).toMatchObject({ status: 400 });
    expect(await ask({ parameters: { decayFloor: 7 } })).toMatchObject({ status: 400 });
    expect(await ask({ parameters: { decayFloor: "x" } })).toMatchObject({ status: 400 });
  });
});

describe.runIf(hasBrowser)("the view", () => {
  const visits = new Visits();
  beforeAll(() => visits.start());
  afterEach(() => visits.end());
  afterAll(() => visits.stop());

  it("shows every parameter, what a change does, and the change as configuration; a link reopens it", async () => {
    const page = await visits.open(`${server.url}/#/ada/what-if?q=choir&seed=7`);
    await page.waitForSelector('.version h4:has-text("What if")');
    const names = await page.locator("[data-parameter]").count();
    expect(names).toBe(Object.keys(server.mnemosyne.parameters).length);
    await page.fill('input[type="search"] >> nth=0', "decayFloor");
    await page.waitForSelector('[data-parameter="decayFloor"] input[type=range]');
    await page.focus('[data-parameter="decayFloor"] input[type=range]');
    await page.keyboard.press("End");
    await page.waitForSelector(".configuration");
    expect(JSON.parse((await page.textContent(".configuration pre"))!)).toEqual({ parameters: { decayFloor: 1 } });
    expect(await page.locator(".two-curves .curve-key").allInnerTexts()).toContain("what if");
    await page.fill('input[type="search"] >> nth=0', "contextTokenBudget");
    await page.fill('[data-parameter="contextTokenBudget"] input[type=number]', "60");
    await page.keyboard.press("Tab");
    await expect.poll(() => page.innerText(".version >> nth=1")).toMatch(/ \d\d tokens/u);
    await page.fill(".keep input", "3");
    await page.keyboard.press("Tab");
    await page.waitForSelector('[aria-label="Pruning"] [role=status]:has-text("6 memories would go")');
    const address = page.url();
    expect(await seriousProblems(page)).toEqual([]);
    const again = await visits.open(address, { viewport: { width: 390, height: 844 } });
    await again.waitForSelector(".configuration");
    expect(await again.textContent(".configuration pre")).toBe(await page.textContent(".configuration pre"));
    expect(await again.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    expect(await server.mnemosyne.person("ada").list()).toHaveLength(9);
  });

  it("asks something by itself, at the time of the last memory, and says in a sentence what differs", async () => {
    const page = await visits.open(`${server.url}/#/ada/what-if`);
    await page.waitForSelector('.difference:text-is("Nothing is recalled.")');
    const [last] = (await server.mnemosyne.person("ada").list()).slice(-1);
    expect(last!.id).toBe("hostile");
    expect(await page.innerText('[aria-label="Recall"]')).toContain("at the time of the last memory, 25 May 2025");
    await page.goto(`${server.url}/#/ada/what-if?q=choir`);
    await page.waitForSelector('.difference:text-is("The same memories are recalled.")');
    await page.goto(`${server.url}/#/ada/what-if?q=choir&set=startCountMax:1,explorationFactor:0`);
    await expect
      .poll(() => page.innerText(".difference"))
      .toMatch(/^0 memories are recalled only with this, [1-9]\d* no more\.$/u);
  });

  it("counts at most the newest 10,000 interactions, and says so", async () => {
    const page = await visits.open(`${server.url}/#/ada/overview`);
    const [item] = (await server.mnemosyne.person("ada").history({ outcomes: ["paired"] })).slice(-1);
    let requestCount = 0;
    // A history without an end; what is asked for by name is the real one.
    await page.route(/\/history\?(?!.*ids=)/u, (route) => {
      requestCount += 1;
      const interactions = Array.from({ length: 1_000 }, (_, i) => ({ ...item!, id: `${requestCount}-${i}` }));
      return route.fulfill({ json: { interactions, nextCursor: "more" } });
    });
    await page.goto(`${server.url}/#/ada/what-if`);
    await page.waitForSelector('.repeated:has-text("Only the newest 10,000 interactions are counted")');
    expect(requestCount).toBe(10);
    expect(await page.innerText(".repeated")).toMatch(/^10,000 interactions count as said before/u);
  });

  it("says why where a copy is refused, and waits for nothing", async () => {
    const page = await visits.open(`${server.url}/#/ada/overview`);
    const detail = "a copy of 6000 memories is too large; what-if works up to 5000";
    await page.route(/\/what-if$/u, (route) =>
      route.fulfill({ status: 400, json: { code: "request_invalid", detail } }),
    );
    await page.goto(`${server.url}/#/ada/what-if`);
    await page.waitForSelector(`[role=alert]:has-text("${detail}")`);
    await page.waitForSelector(".repeated b");
    expect(await page.locator(".waiting").count()).toBe(0);
    expect(await seriousProblems(page)).toEqual([]);
  });

  it("counts what would be said before by the formula of the memory", async () => {
    const page = await visits.open(`${server.url}/#/ada/what-if?set=redundancyThreshold:10`);
    await page.waitForSelector(".repeated b");
    expect(await page.innerText(".repeated")).toContain("would be 0");
    const outcomes = (await server.mnemosyne.person("ada").history()).filter(({ outcome }) => outcome === "paired");
    expect(await page.innerText(".repeated")).toMatch(
      new RegExp(`^${outcomes.length} interactions? counts? as said`, "u"),
    );
  });
});
