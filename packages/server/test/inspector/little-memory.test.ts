/** Somebody of whom little is remembered: nothing, one thing, or in another script. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { type TestServer, Visits, hasBrowser, laidOut, seriousProblems, startInspector } from "./inspector-server.js";

describe.runIf(hasBrowser)("somebody of whom little is remembered", () => {
  const folder = new ScratchFolder();
  const visits = new Visits();
  let server: TestServer;
  const at = (place: string): string => `${server.url}/#/${place}`;
  const say = async (name: string, id: string, text: string, more: object = {}): Promise<void> => {
    const given = { id, turns: [{ who: "user", text }], at: "2025-03-01T10:00:00Z", keep: true, ...more };
    await server.mnemosyne.person(name).commit(given, { wait: true });
  };

  beforeAll(async () => {
    server = await startInspector(folder.next());
    await say("nobody", "greeting", "Good morning!", { keep: undefined });
    await say("ada", "home", "I live in Lisbon.");
    await say("layla", "cairo", "أنا أعيش في القاهرة مع أختي ليلى.");
    await visits.start();
  });
  afterEach(() => visits.end());
  afterAll(async () => {
    await visits.stop();
    await server.stop();
  });

  it("without memories, views say so, the log is a click away, and what if names no time", async () => {
    const page = await visits.open(at("nobody/graph"));
    for (const view of ["graph", "recall", "time"]) {
      await page.goto(at(`nobody/${view}`));
      await page.waitForSelector('h2:text-is("Nothing is remembered yet")');
      expect(await seriousProblems(page), view).toEqual([]);
    }
    await page.click('.page a:text-is("log")');
    await page.waitForSelector('.log li[data-interaction="greeting"]');
    await page.goto(at("nobody/what-if"));
    await page.waitForSelector('.what-if-results p:has-text("no memories yet")');
    expect(await page.innerText("main")).not.toContain("1970");
    expect(await seriousProblems(page)).toEqual([]);
  });

  it("one memory is seen, recalled and not pruned", async () => {
    const page = await visits.open(at("ada/graph"));
    await laidOut(page);
    expect(await page.innerText(".finder [role=status]")).toBe("1 memory");
    await page.goto(at("ada/what-if?q=Lisbon"));
    await page.waitForSelector('[aria-label="Pruning"] [role=status]:text-is("No memory would go.")');
  });

  it("a question that names the person is shown as it was judged", async () => {
    const page = await visits.open(at("ada/recall?q=Where+does+Ada+live%3F&seed=1&scene=0"));
    await page.waitForSelector('.panel p:has-text("It names the person, and was judged as")');
    expect(await page.innerText('.panel p:has-text("judged as") q')).toBe("Where do I live?");
    await page.goto(at("ada/recall?q=Where+do+I+live%3F&seed=1&scene=0"));
    await page.waitForSelector('.panel p:has-text("judged as")', { state: "detached" });
    await page.waitForSelector('.panel p:has-text("names no time")');
  });

  it("who speaks does not turn round the direction of what they say", async () => {
    const page = await visits.open(at("layla/graph?memory=cairo"));
    await page.waitForSelector(".panel-text .said");
    const direction = `getComputedStyle(document.querySelector(".panel-text .said")).direction`;
    expect(await page.evaluate(direction)).toBe("rtl");
    expect(await page.textContent(".panel-text .said")).toBe("user: أنا أعيش في القاهرة مع أختي ليلى.");
    await page.goto(at("ada/graph?memory=home"));
    await page.waitForSelector('.panel-text .said:has-text("Lisbon")');
    expect(await page.evaluate(direction)).toBe("ltr");
  });
});
