/** Every view with the keyboard alone: whatever can be pressed is reached, named and seen. */
import { describe, expect, it } from "vitest";
import { VisitedServer, fill, fillWithCore, hasBrowser } from "./inspector-server.js";
import { KeyboardUser } from "./keyboard-user.js";

describe.runIf(hasBrowser)("a walk with Tab", () => {
  const { visits, at } = new VisitedServer(async (mnemosyne) => {
    await fillWithCore(mnemosyne, "ada");
    await fill(mnemosyne, "ben");
  });

  /** The address, what is there when it has loaded, and how many controls there are at least. */
  const places: readonly (readonly [string, string, number])[] = [
    ["/overview", ".persons a", 5],
    ["ada/overview", ".figures", 10],
    ["ada/graph", '.stage[data-laid-out="true"]', 25],
    ["ada/graph?memory=home&kind=outdated", ".panel .uplot canvas", 30],
    ["ada/recall", '.stage[data-laid-out="true"]', 18],
    ["ada/recall?q=choir&seed=1&scene=1", ".bars li", 20],
    ["ada/recall?q=choir&seed=1", ".context", 20],
    ["ada/time?q=choir&seed=1", ".answer", 17],
    ["ada/log", ".log li", 30],
    ["ada/core", ".fact", 12],
    ["ada/what-if?q=choir&seed=7&set=decayFloor:0.5", ".version li", 20],
  ];

  const walkAt = async (place: string, shown: string, countMin: number, width = 1_280): Promise<void> => {
    const user = await KeyboardUser.at(visits, at(place), { viewport: { width, height: 800 } });
    const { page } = user;
    await page.waitForSelector(shown);
    await page.waitForTimeout(300);
    // Unfolded, as Enter on each does: what is inside is reached as well.
    await page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true");
    const { visited, faults } = await user.walk();
    expect(faults).toEqual([]);
    expect(visited.length).toBeGreaterThanOrEqual(countMin);
    expect(visited[0]!.name).toBe("Skip to the content");
    expect(await user.pointerCount()).toBe(0);
  };

  it.each(places)("reaches everything at %s", (place, shown, countMin) => walkAt(place, shown, countMin));

  it.each(places.filter(([place]) => /memory=|scene=|time|log/u.test(place)))(
    "reaches everything on a phone with a keyboard at %s",
    (place, shown, countMin) => walkAt(place, shown, countMin, 390),
  );
});
