/** What every view needs: no serious problem for a screen reader in either theme, and a phone on which nothing is cut. */
import { expect, describe, it } from "vitest";
import {
  VisitedServer,
  fillWithCore,
  hasBrowser,
  laidOut,
  seriousProblems,
} from "../../test/inspector/inspector-server.js";

const places = [
  ["ada/graph?memory=home", ".panel-text"],
  ["ada/recall?q=choir&seed=1&scene=1", ".bars li"],
  ["ada/recall?q=choir&seed=1", ".context"],
  ["ada/log", ".log li"],
  ["ada/core", ".fact"],
  ["ada/overview", ".figures"],
  ["nobody/graph", 'h2:text-is("Nothing is remembered yet")'],
] as const;

describe.runIf(hasBrowser)("every view", () => {
  const { visits, at } = new VisitedServer(async (mnemosyne) => {
    await fillWithCore(mnemosyne, "ada");
    const greeting = { id: "greeting", turns: [{ who: "user", text: "Good morning!" }] };
    await mnemosyne.person("nobody").commit(greeting, { wait: true });
    const arabic = { id: "cairo", turns: [{ who: "user", text: "أنا أعيش في القاهرة مع أختي ليلى." }], keep: true };
    await mnemosyne.person("layla").commit(arabic, { wait: true });
  });

  it.each(["light", "dark"] as const)("has no serious problem in the %s theme", async (colorScheme) => {
    const page = await visits.open(at("ada/overview"), { colorScheme });
    for (const [place, shown] of places) {
      await page.goto(at(place));
      await page.waitForSelector(shown);
      await page.waitForTimeout(300);
      expect([place, await seriousProblems(page)]).toEqual([place, []]);
    }
    await page.goto(at("ada/graph?memory=home"));
    await page.waitForSelector(".panel-text");
    await laidOut(page);
    for (const name of ["Correct…", "Edit…", "Forget…"]) {
      await page.click(`.panel button:text-is("${name}")`);
      await page.waitForSelector("dialog[open]");
      expect([name, await seriousProblems(page)]).toEqual([name, []]);
      await page.keyboard.press("Escape");
      await page.waitForSelector("dialog", { state: "detached" });
    }
    await page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true");
    expect(await seriousProblems(page)).toEqual([]);
  });

  it("fits a phone: nothing scrolls sideways, every tab is in sight, a context is whole, nothing covers the graph", async () => {
    const page = await visits.open(at("ada/overview"), { viewport: { width: 390, height: 844 } });
    for (const link of await page.locator("header nav a").all()) {
      const { x, width } = (await link.boundingBox())!;
      expect(x + width).toBeLessThanOrEqual(390);
    }
    for (const [place, shown] of places) {
      await page.goto(at(place));
      await page.waitForSelector(shown);
      expect(await page.evaluate("document.documentElement.scrollWidth"), place).toBeLessThanOrEqual(390);
      for (const context of await page.locator(".context").all()) {
        expect(await context.evaluate((each) => each.scrollHeight - each.clientHeight)).toBeLessThanOrEqual(1);
      }
    }
    await page.goto(at("ada/graph"));
    await laidOut(page);
    const tools = (await page.locator(".stage-tools").boundingBox())!;
    const canvas = (await page.locator(".stage canvas").boundingBox())!;
    expect(tools.y + tools.height).toBeLessThanOrEqual(canvas.y);
    expect(canvas.height).toBeGreaterThan(200);
  });

  it("has texts in their own direction, whoever speaks", async () => {
    const page = await visits.open(at("layla/graph?memory=cairo"));
    await page.waitForSelector(".panel-text .said");
    const direction = `getComputedStyle(document.querySelector(".panel-text .said")).direction`;
    expect(await page.evaluate(direction)).toBe("rtl");
    await page.goto(at("ada/graph?memory=home"));
    await page.waitForSelector('.panel-text .said:has-text("Bristol")');
    expect(await page.evaluate(direction)).toBe("ltr");
  });
});
