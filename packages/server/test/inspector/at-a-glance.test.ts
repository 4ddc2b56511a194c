/** What somebody sees who opens the inspector for the first time, most of it on a phone: nothing cut, covered or hidden. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { VisitedServer, fill, hasBrowser, laidOut } from "./inspector-server.js";

const phone = { viewport: { width: 390, height: 844 } };
const longQuestion = "Where does the choir rehearse on Tuesdays, and who brings the sheet music there?";

describe.runIf(hasBrowser)("at a glance", () => {
  const { visits, at } = new VisitedServer((mnemosyne) => fill(mnemosyne, "ada"));

  it("a phone shows every view's name whole", async () => {
    const page = await visits.open(at("ada/overview"), phone);
    const links = await page.locator("header nav a").all();
    expect(links.length).toBe(7);
    for (const link of links) {
      const { x, width } = (await link.boundingBox())!;
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(390);
    }
  });

  it("a phone shows the whole context of a recall", async () => {
    const page = await visits.open(at("ada/recall?q=choir&seed=1"), { viewport: { width: 390, height: 360 } });
    await page.waitForSelector(".context");
    expect(await hiddenHeight(page, ".context")).toBe(0);
  });

  it("on a phone, What if begins with what it is, and a button leads to the parameters", async () => {
    const page = await visits.open(at("ada/what-if"), phone);
    await page.waitForSelector(".uplot canvas");
    const title = (await page.locator('main h2:text-is("What if")').boundingBox())!;
    const curve = (await page.locator(".curve").first().boundingBox())!;
    expect(title.y).toBeLessThan(200);
    expect(curve.y).toBeGreaterThan(title.y + title.height);
    await page.click("text=To the parameters");
    const sliders = (await page.locator('[aria-label="Parameters"]').boundingBox())!;
    expect(sliders.y).toBeLessThan(844 / 2);
    expect(await page.evaluate("document.activeElement.labels[0].textContent")).toBe("Find a parameter");
  });

  it("on a phone, the graph's buttons lie over nothing of it", async () => {
    const page = await visits.open(at("ada/graph"), phone);
    await laidOut(page);
    const tools = (await page.locator(".stage-tools").boundingBox())!;
    const canvas = (await page.locator(".stage canvas").boundingBox())!;
    expect(tools.y + tools.height).toBeLessThanOrEqual(canvas.y);
    expect(canvas.height).toBeGreaterThan(200);
  });

  it.each(["ada/recall", "ada/time", "ada/what-if"])("a question is read whole in %s", async (place) => {
    const page = await visits.open(at(`${place}?q=${encodeURIComponent(longQuestion)}&seed=1`));
    await page.waitForSelector("textarea.question");
    expect(await page.inputValue("textarea.question")).toBe(longQuestion);
    expect(await hiddenHeight(page, "textarea.question")).toBe(0);
  });

  it("the menu for pictures closes when a dialog opens, by the pointer or by a key", async () => {
    const page = await visits.open(at("ada/graph?memory=home"));
    await page.waitForSelector(".panel-text");
    await page.click(".share summary");
    await page.waitForSelector(".share[open]");
    await page.check(".share input");
    expect(await page.locator(".share[open]").count()).toBe(1);
    await page.click('.panel button:text-is("Edit…")');
    await page.waitForSelector("dialog[open]");
    expect(await page.locator(".share[open]").count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    await page.focus(".share summary");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".share[open]");
    await page.focus('.panel button:text-is("Edit…")');
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog[open]");
    expect(await page.locator(".share[open]").count()).toBe(0);
  });

  it("the plate behind a chosen memory's label leaves its ring whole", async () => {
    const page = await visits.open(at("ada/graph?memory=home"), {}, async (empty) => {
      await empty.addInitScript(recordPainting);
    });
    await page.waitForSelector(".panel-text");
    await laidOut(page);
    await expect.poll(() => page.evaluate("window.plates.length")).toBeGreaterThan(0);
    const [x, y, width, height] = (await page.evaluate("window.plates.at(-1)")) as number[];
    const ring = (await page.evaluate("window.rings.at(-1)")) as { x: number; y: number; reach: number };
    const nearestX = Math.max(x!, Math.min(ring.x, x! + width!));
    const nearestY = Math.max(y!, Math.min(ring.y, y! + height!));
    expect(Math.hypot(nearestX - ring.x, nearestY - ring.y)).toBeGreaterThanOrEqual(ring.reach);
  });
});

/** How much of an element is out of sight in it. */
function hiddenHeight(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluate((element) => Math.max(0, element.scrollHeight - element.clientHeight - 1));
}

/** Plates and rings as they are painted, in pixels of the screen. Only a ring is an arc of the canvas itself. */
const recordPainting = `
  window.plates = [];
  window.rings = [];
  const { roundRect, arc, stroke } = CanvasRenderingContext2D.prototype;
  let last = null;
  CanvasRenderingContext2D.prototype.roundRect = function (...box) {
    window.plates.push(box.slice(0, 4));
    return roundRect.apply(this, box);
  };
  CanvasRenderingContext2D.prototype.arc = function (...circle) {
    last = circle;
    return arc.apply(this, circle);
  };
  CanvasRenderingContext2D.prototype.stroke = function (...path) {
    if (path.length === 0 && last !== null) {
      const { a, e, f } = this.getTransform();
      const [x, y, radius] = last;
      window.rings.push({ x: a * x + e, y: a * y + f, reach: a * (radius + this.lineWidth / 2) });
      last = null;
    }
    return stroke.apply(this, path);
  };
`;
