/** The inspector with the keyboard alone: everything is reached, named and ringed, and nobody loses their place. */
import { describe, expect, it } from "vitest";
import { VisitedServer, fillWithCore, hasBrowser } from "../../test/inspector/inspector-server.js";
import { KeyboardUser } from "./keyboard-user.js";

/** The address, what is there when it has loaded, and how many controls there are at least. */
const places = [
  ["ada/overview", ".figures", 9],
  ["ada/graph?memory=home&kind=outdated", ".panel .curve svg", 28],
  ["ada/recall?q=choir&seed=1&scene=1", ".bars li", 16],
  ["ada/recall?q=choir&seed=1", ".context", 16],
  ["ada/log", ".log li", 30],
  ["ada/core", ".fact", 10],
] as const;

describe.runIf(hasBrowser)("with the keyboard alone", () => {
  const { visits, at } = new VisitedServer((mnemosyne) => fillWithCore(mnemosyne, "ada"));

  it.each(places)("Tab reaches everything at %s, on a desktop and on a phone", async (place, shown, countMin) => {
    for (const width of [1_280, 390]) {
      const user = await KeyboardUser.at(visits, at(place), width);
      await user.page.waitForSelector(shown);
      await user.page.waitForTimeout(300);
      await user.page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true");
      const { visited, faults } = await user.walk();
      expect(faults).toEqual([]);
      expect(visited.length).toBeGreaterThanOrEqual(countMin);
      expect(visited[0]!.name).toBe("Skip to the content");
    }
  });

  it("the graph is walked with arrows, and a memory opened from a recall with Enter, not before", async () => {
    const user = await KeyboardUser.at(visits, at("ada/recall?q=choir&seed=1"));
    await user.page.waitForSelector(".context");
    await user.use(/^Graph of 9 memories/u, "ArrowRight");
    await expect.poll(() => user.page.textContent(".stage [aria-live]")).not.toBe("");
    expect(user.page.url()).toContain("/recall?");
    await user.press("Enter");
    await user.page.waitForSelector(".panel[data-memory]");
    await user.use(/^Graph of 9 memories/u, "Escape");
    await user.page.waitForSelector(".panel[data-memory]", { state: "detached" });
  });

  it("a playback is stepped, and its ends send nobody away", async () => {
    const user = await KeyboardUser.at(visits, at("ada/recall?q=choir&seed=1&scene=1"));
    await user.page.waitForSelector(".bars li");
    await user.use(/^Back$/u);
    await user.press("Enter", "Enter");
    await user.page.waitForSelector('.scene-title:has-text("1 of")');
    expect(await user.focusedName()).toBe("Back");
  });

  it("a panel and a dialog hold the focus, and give it back where it was", async () => {
    const user = await KeyboardUser.at(visits, at("ada/graph"));
    await user.page.waitForSelector('.stage[data-laid-out="true"]');
    await user.use(/Bristol/u);
    await user.page.waitForSelector(".panel-text");
    await user.use(/^Forget…$/u);
    await user.page.waitForSelector("dialog .going");
    const { visited, faults } = await user.walk();
    expect(faults).toEqual([]);
    expect(visited.map(({ name }) => name)).not.toContain("Edit…");
    await user.press("Escape");
    await user.page.waitForSelector("dialog", { state: "detached" });
    expect(await user.focusedName()).toBe("Forget…");
    await user.use(/^Close the memory$/u, "Enter", "Shift+Tab");
    await user.page.waitForSelector(".panel", { state: "detached" });
    expect(await user.focusedName()).toContain("Bristol");
  });

  it("where the focused control goes away, what surrounded it has the focus", async () => {
    const user = await KeyboardUser.at(visits, at("ada/graph?memory=home"));
    await user.page.waitForSelector(".update-links");
    await user.use(/^Still true: user: I live in Bristol/u, "Space");
    await user.page.waitForSelector(".update-links", { state: "detached" });
    expect(await user.focusedName()).toBe("Memory");
    await user.press("Tab");
    expect(await user.focusedName()).toBe("Close the memory");
  });
});
