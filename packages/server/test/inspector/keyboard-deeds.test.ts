/** What each view is for, done without a mouse; and whoever does it never loses their place. */
import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addKey } from "../../src/server/security/key-file.js";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { type TestServer, Visits, fill, hasBrowser, seriousProblems, startInspector } from "./inspector-server.js";
import { KeyboardUser } from "./keyboard-user.js";

const folder = new ScratchFolder();
const visits = new Visits();
let server: TestServer;
let user: KeyboardUser;

async function visit(place: string, shown: string, url = server.url): Promise<void> {
  user = await KeyboardUser.at(visits, `${url}/#/${place}`, { permissions: ["clipboard-read", "clipboard-write"] });
  await see(shown);
}

async function see(shown: string): Promise<void> {
  await user.page.waitForSelector(shown);
}

async function seeGone(gone: string): Promise<void> {
  await user.page.waitForSelector(gone, { state: "detached" });
}

/** Goes to a control with Tab and presses a key on it. */
async function use(name: RegExp, key = "Enter"): Promise<void> {
  await user.tabTo(name);
  await user.press(key);
}

/** Null where the focus is lost. */
async function focusedName(): Promise<string | null> {
  return (await user.focused())?.name ?? null;
}

async function save(name: RegExp): Promise<string> {
  await user.tabTo(name);
  const [download] = await Promise.all([user.page.waitForEvent("download"), user.press("Enter")]);
  return readFileSync(await download.path(), "latin1");
}

const copied = (): Promise<string> => user.page.evaluate("navigator.clipboard.readText()");
const main = (): Promise<string> => user.page.innerText("main");

describe.runIf(hasBrowser)("without a mouse", () => {
  beforeAll(() => visits.start());
  beforeEach(async () => {
    server = await startInspector(folder.next());
    await fill(server.mnemosyne, "ada");
  });
  afterEach(async () => {
    const pointerCount = await user.pointerCount();
    await visits.end();
    await server.stop();
    expect(pointerCount).toBe(0);
  });
  afterAll(() => visits.stop());

  it("a person is chosen, and a view", async () => {
    await fill(server.mnemosyne, "ben");
    await visit("/log", "main p");
    await use(/^Choose a person$/u);
    await see(".persons a");
    await use(/^ben$/u);
    await see(".stage");
    expect(user.page.url()).toMatch(/#\/ben\/graph$/u);
    expect(await focusedName()).not.toBeNull();
    await use(/^Core memory$/u);
    await see('h2:text-is("Core memory")');
    expect(await focusedName()).toBe("Core memory");
    const before = await user.page.getAttribute("html", "data-theme");
    await use(/^Use the/u, "Space");
    expect(await user.page.getAttribute("html", "data-theme")).not.toBe(before);
  });

  it("a memory is found, opened, walked from and closed; the focus is back where it was opened", async () => {
    await visit("ada/graph", '.stage[data-laid-out="true"]');
    await user.tabTo(/^Search$/u);
    await user.type("bristol");
    await see('.finder [role=status]:text-is("1 memory")');
    await use(/Bristol/u);
    await see('.panel .panel-text:has-text("Bristol")');
    await use(/^outdated by/u, "Space");
    await see('.panel .panel-text:has-text("Lisbon")');
    expect(await focusedName()).not.toBeNull();
    await use(/^Close the memory$/u);
    await seeGone(".panel");
    expect(await focusedName()).toContain("Bristol");
  });

  it("a wrong update is taken back, and the focus stays in the panel", async () => {
    await visit("ada/graph?memory=home", ".update-links");
    await use(/^Still true: user: I live in Bristol/u, "Space");
    await seeGone(".update-links");
    expect(await focusedName()).toBe("Memory");
    await user.press("Tab");
    expect(await focusedName()).toBe("Close the memory");
    expect((await server.mnemosyne.person("ada").get("home")).outdatedBy).toEqual([]);
  });

  it("a filter is set and taken back", async () => {
    await visit("ada/graph", '.stage[data-laid-out="true"]');
    await use(/^Filter$/u, "Space");
    await user.tabTo(/^State$/u);
    await user.press("ArrowDown");
    await see('.finder [role=status]:text-is("2 memories")');
    await use(/^No filter$/u);
    await see('.finder [role=status]:text-is("9 memories")');
    expect(await focusedName()).not.toBeNull();
  });

  it("the graph is walked with arrows, and a memory opened from a recall with Enter, not before", async () => {
    await visit("ada/recall?q=choir&seed=1", ".context");
    await user.tabTo(/^Graph of 9 memories/u);
    await user.press("ArrowRight");
    await expect.poll(() => user.page.textContent(".stage [aria-live]")).not.toBe("");
    expect(user.page.url()).toContain("/recall?");
    await user.press("Enter");
    await see(".panel[data-memory]");
    expect(user.page.url()).toContain("/graph?memory=");
    await user.tabTo(/^Graph of 9 memories/u);
    await user.press("Escape");
    await seeGone(".panel[data-memory]");
  });

  it("the time machine is moved, played and asked", async () => {
    await visit("ada/time", ".time-slider");
    await user.tabTo(/^Moment$/u);
    await user.press("Home");
    await see('.finder [role=status]:text-is("1 memory")');
    await user.press("PageUp", "ArrowRight");
    expect(await user.page.innerText(".finder h2")).not.toBe("1 Mar 2025");
    await user.press("Home");
    await user.tabTo(/^Play$/u, { back: true });
    await user.press("Space");
    await see('.finder [role=status]:not(:text-is("1 memory"))');
    await user.press("Space");
    expect(await focusedName()).toBe("Play");
    await user.tabTo(/^Question$/u);
    await user.type("Where do I live?");
    await user.press("Enter");
    await see(".answer");
  });

  it("a question is asked, its playback played and stepped, and its link copied", async () => {
    await visit("ada/recall", '.stage[data-laid-out="true"]');
    await user.tabTo(/^Question$/u);
    await user.type("When does my right knee hurt?");
    await user.press("Enter");
    await see(".context");
    expect(await focusedName()).not.toBeNull();
    const title = (): Promise<string> => user.page.innerText(".scene-title");
    await use(/^Play$/u, "Space");
    await see('.scene-title:has-text("2 of")');
    await user.press("Space");
    await use(/^Forward$/u);
    await expect.poll(title).toMatch(/^3 of/u);
    await user.tabTo(/^Back$/u, { back: true });
    await user.press("Enter", "Enter", "Enter", "Enter");
    await expect.poll(title).toMatch(/^1 of/u);
    // At the beginning there is no further back, but nobody is sent away.
    expect(await focusedName()).toBe("Back");
    await user.tabTo(/^Scene$/u);
    await user.press("ArrowRight");
    await expect.poll(title).toMatch(/^2 of/u);
    await use(/^Copy a link/u);
    await expect.poll(copied).toContain("#/ada/recall?q=When");
  });

  it("the log is filtered and followed, and something restored and corrected from it", async () => {
    await visit("ada/log", '.log li[data-interaction="weather"]');
    await user.tabTo(/^Show$/u);
    await user.press(..."not".split(""));
    await see('.log:not(:has([data-interaction="knee"])) [data-interaction="weather"]');
    await use(/^Remember it after all$/u);
    await expect.poll(async () => (await server.mnemosyne.person("ada").get("weather")).outcome).toBe("committed");
    await seeGone('.log [data-interaction="weather"]');
    expect(await focusedName()).not.toBeNull();
    await user.tabTo(/^Show$/u, { back: true });
    await user.press("Home");
    await see('.log [data-interaction="weather"]:has-text("restored as you asked")');
    await user.tabTo(/^Correct…$/u);
    const { number } = (await user.focused())!;
    await see(".live-dot");
    await server.mnemosyne
      .person("ada")
      .commit({ id: "cello", turns: [{ who: "user", text: "I bought a cello." }], keep: true });
    await see('.log [data-interaction="cello"]');
    // What comes while somebody reads does not move them.
    expect((await user.focused())!.number).toBe(number);
    await user.press("Enter");
    await see("dialog");
    expect(await focusedName()).toBe("What is true now");
    await user.type("Good evening!");
    await use(/^Correct$/u);
    await see("dialog [role=status]");
    expect(await focusedName()).toBe("Done");
    await user.press("Enter");
    await seeGone("dialog");
    expect((await user.focused())!.number).toBe(number);
  });

  it("a memory is pinned and unpinned, in its panel and in the core memory", async () => {
    await visit("ada/graph?memory=allergy", ".panel-text");
    await use(/^Pin$/u);
    await see('.panel button:text-is("Unpin")');
    expect(await focusedName()).toBe("Unpin");
    await server.mnemosyne.person("ada").coreSummary({ update: true });
    await use(/^Core memory$/u);
    await see('.fact:has-text("penicillin")');
    await use(/^Unpin$/u);
    await expect.poll(async () => (await server.mnemosyne.person("ada").get("allergy")).pinnedArea).toBeNull();
    await seeGone(".fact >> text=Unpin");
    expect(await focusedName()).not.toBeNull();
  });

  it("what if: a slider is moved, and the configuration copied", async () => {
    await visit("ada/what-if?q=choir&seed=7", ".version li");
    await user.tabTo(/^Find a parameter$/u);
    await user.type("decayFloor");
    await user.tabTo(/^decayFloor$/u);
    await user.press("End", "ArrowLeft");
    await see(".configuration");
    const shown = await user.page.textContent(".configuration pre");
    await use(/^Copy as configuration$/u);
    await expect.poll(copied).toBe(shown);
    expect(JSON.parse(await copied())).toEqual({ parameters: { decayFloor: expect.any(Number) as number } });
    await use(/^Back to the server's$/u);
    await seeGone(".configuration");
    expect(await focusedName()).not.toBeNull();
  });

  it("a memory is corrected; the dialog holds the focus, gives it back, and closes with Escape", async () => {
    await visit("ada/graph?memory=tea", ".panel-text");
    await use(/^Correct…$/u);
    await see("dialog");
    const { visited, faults } = await user.walk();
    expect(faults).toEqual([]);
    expect(visited.map(({ name }) => name)).toEqual(expect.arrayContaining(["Close", "What is true now"]));
    expect(visited.map(({ name }) => name)).not.toContain("Edit…");
    expect(await seriousProblems(user.page)).toEqual([]);
    await user.press("Escape");
    await seeGone("dialog");
    expect(await focusedName()).toBe("Correct…");
    await user.press("Enter");
    await see("dialog");
    await user.type("I drink green tea now.");
    await use(/^Correct$/u);
    await see("dialog [role=status]");
    await user.press("Escape");
    await seeGone("dialog");
    expect(await focusedName()).toBe("Correct…");
    expect((await server.mnemosyne.person("ada").get("tea")).outdatedBy).toHaveLength(1);
    await use(/^Edit…$/u);
    await see("dialog");
    expect(await focusedName()).toBe("Summary");
    expect(await seriousProblems(user.page)).toEqual([]);
    await user.press("Escape");
    await seeGone("dialog");
    expect(await focusedName()).toBe("Edit…");
  });

  it("several are chosen and forgotten, with the receipt", async () => {
    await visit("ada/graph", '.stage[data-laid-out="true"]');
    await use(/^Choose several$/u, "Space");
    await use(/^Choose the memory of 30 Apr 2025$/u, "Space");
    await use(/^Choose the memory of 16 Mar 2025$/u, "Space");
    await user.tabTo(/^Forget 2…$/u, { back: true });
    await user.press("Enter");
    await see("dialog .going");
    expect((await user.walk()).faults).toEqual([]);
    await user.press("Escape");
    await seeGone("dialog");
    expect(await focusedName()).toBe("Forget 2…");
    await user.press("Enter");
    await see("dialog .going");
    await use(/^Forget it for good/u, "Space");
    await use(/^Forget$/u);
    await see(".receipt");
    expect(await focusedName()).toBe("Done");
    expect(await seriousProblems(user.page)).toEqual([]);
    await user.press("Enter");
    await see('.finder [role=status]:text-is("7 memories")');
    expect(await focusedName()).not.toBeNull();
  });

  it("everything is exported, and the graph shared as a picture", async () => {
    await visit("ada/graph", '.stage[data-laid-out="true"]');
    expect((await save(/^Export$/u)).trim().split("\n").length).toBeGreaterThan(9);
    await use(/^Picture$/u);
    expect(await save(/^SVG$/u)).toContain("<svg");
    expect(await save(/^PNG$/u)).toContain("PNG");
    await user.press("Escape");
    await seeGone(".share[open]");
    expect(await focusedName()).toBe("Picture");
  });

  it("somebody signs in and out", async () => {
    const keysFile = folder.next(".json");
    const { key } = await addKey(keysFile, {
      label: "test",
      expiresAt: null,
      isAdmin: false,
      isReadOnly: true,
      persons: ["ada"],
    });
    const guarded = await startInspector(folder.next(), { keysFile });
    try {
      await fill(guarded.mnemosyne, "ada");
      await visit("ada/overview", ".sign-in", guarded.url);
      expect(await focusedName()).toBe("Key");
      expect((await user.walk()).faults).toEqual([]);
      await user.tabTo(/^Key$/u);
      await user.type(key);
      await user.press("Enter");
      await see(".figures");
      expect(await main()).toContain("Signed in with a key");
      const focused = `[document.activeElement.id, getComputedStyle(document.activeElement).outlineStyle]`;
      expect(await user.page.evaluate(focused)).toEqual(["content", "none"]);
      await use(/^Sign out$/u, "Space");
      await see(".sign-in");
      expect(await focusedName()).toBe("Key");
    } finally {
      await guarded.stop();
    }
  });
});
