/** Changing a memory in the inspector: log, correct, edit, forget, pin; the time machine; and who may see anything. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addKey } from "../../src/server/security/key-file.js";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import {
  type TestServer,
  Visits,
  fill,
  fillWithCore,
  hasBrowser,
  laidOut,
  seriousProblems,
  startInspector,
} from "./inspector-server.js";

describe.runIf(hasBrowser)("changing a memory", () => {
  const folder = new ScratchFolder();
  const visits = new Visits();
  let server: TestServer;
  const at = (place: string): string => `${server.url}/#/${place}`;
  const day = (count: number): string =>
    new Date(Date.parse("2025-03-01T10:00:00Z") + count * 86_400_000).toISOString();
  const entry = (id: string): string => `.log li[data-interaction="${id}"]`;

  beforeAll(() => visits.start());
  beforeEach(async () => {
    server = await startInspector(folder.next());
    await fill(server.mnemosyne, "ada");
  });
  afterEach(async () => {
    await visits.end();
    await server.stop();
  });
  afterAll(() => visits.stop());

  it("shows the log as it grows, and restores what was not kept", async () => {
    const page = await visits.open(at("ada/log"));
    await page.waitForSelector(entry("weather"));
    expect(await page.innerText(entry("weather"))).toMatch(/^not kept\s.+\ssmall talk\s/su);
    await page.waitForSelector(`${entry("moved")}:has-text("updates I live in Bristol")`);
    await page.waitForSelector(".live-dot", { state: "attached" });
    await server.mnemosyne
      .person("ada")
      .commit({ id: "cello", turns: [{ who: "user", text: "I bought a cello." }], keep: true });
    await page.waitForSelector(entry("cello"));
    await page.waitForSelector('.news:has-text("cello")');
    await page.click(`${entry("weather")} >> text=Remember it after all`);
    await page.waitForSelector(`${entry("weather")}:has-text("restored as you asked")`);
    expect((await server.mnemosyne.person("ada").get("weather")).outcome).toBe("committed");
  });

  it("names memories in the log by their sentences, which open them, unless they are gone", async () => {
    const ada = server.mnemosyne.person("ada");
    const again = "My right knee hurts when I climb the stairs to the piano room once again.";
    await ada.commit({ id: "knee-third", turns: [{ who: "user", text: again }], at: day(30), keep: true });
    await ada.settled();
    const [replaced] = await ada.history({ outcomes: ["replaced"] });
    const page = await visits.open(at("ada/log"));
    const gone = `${entry("knee-third")} .log-line q[title="${replaced!.id}"]`;
    expect(await page.innerText(gone)).toContain("My right knee hurts");
    const by = `${entry(replaced!.id)} .log-line button[title="knee-third"]`;
    expect(await page.innerText(by)).toMatch(/^My right knee hurts when I climb .+…$/u);
    await page.click(`${entry("moved")} summary`);
    await page.waitForSelector(`${entry("moved")} li:has-text("makes outdated: I live in Bristol")`);
    expect(await seriousProblems(page)).toEqual([]);
    await page.click(`${entry("moved")} .log-line button[title="home"]`);
    await page.waitForSelector('.panel[data-memory="home"]');
    await ada.forget("home");
    await page.goto(at("ada/log"));
    await page.waitForSelector(`${entry("moved")} .log-line code:has-text("(forgotten)")`);
  });

  it("reads a history of 10,000 from its newest end, and earlier ones on demand", async () => {
    const ada = server.mnemosyne.person("ada");
    const greetings = Array.from({ length: 9_990 }, (_, i) => ({
      id: `hello-${i}`,
      turns: [{ who: "user", text: `Hello! How are you? ${i}` }],
      at: new Date(Date.parse(day(90)) + i * 60_000).toISOString(),
    }));
    await ada.commitMany(greetings);
    await ada.settled();
    const read: number[] = [];
    const page = await visits.open(at("ada/overview"));
    page.on("response", async (response) => {
      if (!response.url().includes("/history?")) return;
      read.push(((await response.json()) as { interactions: unknown[] }).interactions.length);
    });
    await page.goto(at("ada/log"));
    await page.waitForSelector(entry("hello-9989"));
    const shownIds = (): Promise<(string | null)[]> =>
      page.locator(".log > li").evaluateAll((found) => found.map((each) => each.getAttribute("data-interaction")));
    expect((await shownIds()).slice(0, 2)).toEqual(["hello-9989", "hello-9988"]);
    expect(await shownIds()).toHaveLength(150);
    await page.waitForSelector('main [role=status]:has-text("10,000 interactions, the newest first")');
    expect(read).toEqual([150]);
    await ada.commit({ id: "cello", turns: [{ who: "user", text: "I bought a cello." }], keep: true });
    await page.waitForSelector(entry("cello"));
    await page.click("text=Show earlier");
    await page.waitForSelector(entry("hello-9700"));
    expect(new Set(await shownIds()).size).toBe(300);
    expect(read.at(-1)).toBe(300);
    await page.selectOption('label:has-text("Show") select', "committed");
    await page.waitForSelector(entry("home"));
    expect((await shownIds()).slice(0, 2)).toEqual(["cello", "hostile"]);
    expect(await page.locator("text=Show earlier").count()).toBe(0);
  });

  it("corrects a memory from the log, and the earlier one is outdated", async () => {
    const page = await visits.open(at("ada/log"));
    await page.click(`${entry("tea")} >> text=Correct…`);
    await page.fill("dialog textarea", "I drink green tea now.");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog [role=status]");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    expect((await server.mnemosyne.person("ada").get("tea")).outdatedBy).toHaveLength(1);
    await page.goto(at("ada/graph?memory=tea"));
    await page.waitForSelector('.update-links li:has-text("outdated by"):has-text("green tea")');
  });

  it("shows what made a memory outdated, on both sides, and takes a wrong link back", async () => {
    const ada = server.mnemosyne.person("ada");
    await ada.commit({
      id: "alone",
      turns: [{ who: "user", text: "Zwölf Boxkämpfer." }],
      keep: true,
      updates: ["tea"],
    });
    await ada.settled();
    expect((await ada.get("alone")).edges).toEqual([]);
    const page = await visits.open(at("ada/graph?memory=home"));
    await page.click('.update-links button.link:has-text("outdated by 30 Apr 2025: user: I live in Lisbon now")');
    await page.waitForSelector('.panel-text:has-text("Lisbon")');
    await page.click('.update-links button.link:has-text("makes outdated 21 Mar 2025: user: I live in Bristol")');
    await page.waitForSelector('.panel-text:has-text("Bristol")');
    expect(await seriousProblems(page)).toEqual([]);
    await page.click(".update-links >> text=Still true");
    await page.waitForSelector(".update-links", { state: "detached" });
    expect((await ada.get("home")).outdatedBy).toEqual([]);
    expect((await ada.get("moved")).updates).toEqual([]);
    await page.goto(at("ada/graph?memory=alone"));
    await page.waitForSelector('.update-links:has-text("black tea")');
    expect(await page.innerText(".panel")).not.toContain("Connected with nothing");
    await page.click(".update-links >> text=Still true");
    await page.waitForSelector('.panel:has-text("Connected with nothing")');
    expect((await ada.get("tea")).outdatedBy).toEqual([]);
  });

  it("edits in place, and refuses over what somebody else changed meanwhile", async () => {
    const page = await visits.open(at("ada/graph?memory=tea"));
    await page.click("text=Edit…");
    await page.fill("dialog textarea", "Ada drinks black tea with lemon every morning.");
    await page.click("dialog >> text=Save");
    await page.waitForSelector('dialog [role=status]:has-text("Saved")');
    await page.click("dialog >> text=Done");
    await page.waitForSelector('.panel-text:has-text("lemon")');
    await page.waitForSelector('summary:has-text("1 earlier version")');
    await page.click("text=Edit…");
    await server.mnemosyne.person("ada").update("tea", { summary: "Ada drinks coffee." });
    await page.fill("dialog textarea", "Ada drinks water.");
    await page.click("dialog >> text=Save");
    await page.waitForSelector('dialog [role=alert]:has-text("Somebody changed it meanwhile")');
    expect((await server.mnemosyne.person("ada").get("tea")).summary).toBe("Ada drinks coffee.");
  });

  it("forgets several after saying what goes with them, with a receipt", async () => {
    const page = await visits.open(at("ada/graph"));
    await laidOut(page);
    await page.click("text=Choose several");
    await page.check('.found li:has-text("Lisbon") input');
    await page.check('.found li:has-text("penicillin") input');
    await page.click("text=Forget 2…");
    await page.waitForSelector("dialog .going");
    expect(await page.innerText("dialog")).toContain("1 earlier memory will hold again");
    expect(await page.isDisabled("dialog button.danger")).toBe(true);
    expect(await seriousProblems(page)).toEqual([]);
    await page.check("dialog input[type=checkbox]");
    await page.click("dialog button.danger");
    await page.waitForSelector(".receipt");
    expect(await page.innerText(".receipt .figures")).toMatch(/memories\s+2/u);
    await page.click(".receipt >> text=Done");
    await page.waitForSelector('[role=status]:has-text("7 memories")');
    const left = await server.mnemosyne.person("ada").list();
    expect(left.map(({ id }) => id)).not.toContain("moved");
    expect(left.find(({ id }) => id === "home")?.outdatedBy).toEqual([]);
  });

  it("exports, and saves pictures with and without texts", async () => {
    const page = await visits.open(at("ada/graph"));
    await laidOut(page);
    const lines = await save(page, () => page.click("text=Export"));
    expect(lines.trim().split("\n").length).toBeGreaterThan(9);
    await page.click(".share summary");
    const bare = await save(page, () => page.click(".share >> text=SVG"));
    expect(bare.match(/<circle/gu)).toHaveLength(9);
    expect(bare).not.toMatch(/penicillin|harmed/u);
    await page.check(".share input");
    const full = await save(page, () => page.click(".share >> text=SVG"));
    expect(full).toContain("penicillin");
    expect(full).not.toContain("<script");
    expect(await save(page, () => page.click(".share >> text=PNG"))).toContain("PNG");
  });

  it("goes back in time: the graph then, and what a question recalled then", async () => {
    const page = await visits.open(at("ada/time?q=Where+do+I+live+near%3F&seed=7"));
    await page.waitForSelector('.answer:has-text("Lisbon")');
    expect(await page.innerText(".finder [role=status]")).toBe("9 memories, 1 outdated");
    await page.goto(at("ada/time?q=Where+do+I+live+near%3F&seed=7&at=2025-04-10T00%3A00%3A00.000Z"));
    await page.waitForSelector('.finder [role=status]:text-is("5 memories")');
    await page.waitForSelector('.answer:has-text("Bristol")');
    await expect.poll(() => page.textContent(".answer")).not.toContain("Lisbon");
    expect(await page.getAttribute("canvas", "aria-label")).toMatch(/^Graph of 5 memories/u);
    await page.focus(".time-slider input");
    await page.keyboard.press("Home");
    await page.waitForSelector('.finder [role=status]:text-is("1 memory")');
    expect(await seriousProblems(page)).toEqual([]);
  });

  it("marks in a recall what was outdated when it was asked", async () => {
    const place = "ada/recall?q=Where+do+I+live+near%3F&seed=7";
    const bristol = '.panel ol li:has-text("Bristol")';
    const page = await visits.open(at(`${place}&at=${day(100)}`));
    expect(await page.innerText(bristol)).toContain("21 Mar 2025, outdated by then");
    expect(await page.innerText('.panel ol li:has-text("Lisbon")')).not.toContain("outdated");
    await page.goto(at(`${place}&at=${day(40)}`));
    await page.waitForSelector(`${bristol}:not(:has-text("outdated"))`);
  });

  it("goes back to what was replaced or pruned since, but not to what was forgotten", async () => {
    const ada = server.mnemosyne.person("ada");
    const again = "My right knee hurts when I climb the stairs to the piano room once again.";
    await ada.commit({ id: "knee-third", turns: [{ who: "user", text: again }], at: day(30), keep: true });
    await ada.settled();
    const [replaced] = await ada.history({ outcomes: ["replaced"] });
    expect(replaced!.reason).toBe("replaced by knee-third");
    const { pruned } = await ada.prune({ memoryCountMax: 8 });
    expect(pruned.map(({ id }) => id)).toEqual(["home"]);
    await ada.forget("tea");
    const page = await visits.open(at(`ada/time?at=${day(25)}`));
    // Both about the knee, the allergy and Bristol.
    await page.waitForSelector('.finder [role=status]:text-is("4 memories")');
    const gone = await page.innerText(".gone");
    expect(gone).toContain("Bristol");
    expect(gone).toContain("replaced by knee-third");
    expect(await page.textContent("main")).not.toContain("black tea");
    expect(await page.getAttribute("canvas", "aria-label")).toMatch(/^Graph of 4 memories/u);
    expect(await seriousProblems(page)).toEqual([]);
    await page.goto(at(`ada/time?at=${day(40)}`));
    await page.waitForSelector(".gone:not(:has-text('knee')):has-text('Bristol')");
    expect(await page.innerText(".finder [role=status]")).toBe("4 memories");
    await page.goto(at(`ada/time?at=${day(61)}`));
    await page.waitForSelector(".gone", { state: "detached" });
    await page.goto(at("ada/time"));
    await page.waitForSelector('.finder [role=status]:text-is("7 memories")');
  });

  it("pins a memory, and the core memory says where it comes from", async () => {
    const page = await visits.open(at("ada/graph?memory=allergy"));
    await page.click('.panel >> button:text-is("Pin")');
    await page.waitForSelector('.panel >> button:text-is("Unpin")');
    await server.mnemosyne.person("ada").coreSummary({ update: true });
    await page.goto(at("ada/core"));
    await page.waitForSelector('.fact:has-text("penicillin") >> text=Unpin');
    expect(await seriousProblems(page)).toEqual([]);
    await page.click('.fact:has-text("penicillin") >> text=Unpin');
    await page.waitForSelector(".fact >> text=Unpin", { state: "detached" });
    expect((await server.mnemosyne.person("ada").get("allergy")).pinnedArea).toBeNull();
  });

  it("says in the core memory what made a fact leave it", async () => {
    const ada = server.mnemosyne.person("ada");
    await ada.pin("allergy");
    await ada.coreSummary({ update: true });
    await ada.correct("allergy", "I am not allergic to penicillin, only to plaster.", { id: "no-allergy" });
    await ada.coreSummary({ update: true });
    const page = await visits.open(at("ada/core"));
    const left = page.locator(".change .only-left", { hasText: "left, outdated" });
    await left.locator('button[title="no-allergy"]:has-text("only to plaster")').click();
    await page.waitForSelector('.panel[data-memory="no-allergy"]');
  });

  it("shows the counters to somebody who may read everything", async () => {
    const page = await visits.open(at("ada/overview"));
    await page.waitForSelector('section:has(h2:text-is("Server")) .figures dt:text-is("requests")');
  });

  it("has no serious problem in the log, and nothing is wider than a phone", async () => {
    const page = await visits.open(at("ada/log"), { viewport: { width: 390, height: 844 } });
    for (const place of ["ada/log", "ada/core", "ada/time?q=tea"]) {
      await page.goto(at(place));
      await page.waitForSelector("main h2");
      await page.waitForTimeout(200);
      expect([place, await seriousProblems(page)]).toEqual([place, []]);
      expect(await page.evaluate("document.documentElement.scrollWidth"), place).toBeLessThanOrEqual(390);
    }
  });
});

describe.runIf(hasBrowser)("a server that asks for a key", () => {
  const folder = new ScratchFolder();
  const visits = new Visits();
  let server: TestServer;
  let key: string;
  let writingKey: string;
  let othersKey: string;

  beforeAll(async () => {
    const keysFile = folder.next(".json");
    const wanted = { label: "test", expiresAt: null, isAdmin: false, persons: ["ada"] };
    ({ key } = await addKey(keysFile, { ...wanted, isReadOnly: true }));
    ({ key: writingKey } = await addKey(keysFile, { ...wanted, isReadOnly: false }));
    ({ key: othersKey } = await addKey(keysFile, { ...wanted, persons: ["ben"], isReadOnly: true }));
    server = await startInspector(folder.next(), { keysFile });
    await fillWithCore(server.mnemosyne, "ada");

    await visits.start();
  });
  afterEach(() => visits.end());
  afterAll(async () => {
    await visits.stop();
    await server.stop();
  });

  it("shows nothing without one, keeps it for the tab, and shows only what it allows", async () => {
    const page = await visits.open(`${server.url}/#/ada/graph?memory=allergy`);
    await page.waitForSelector(".sign-in");
    expect(await page.evaluate("document.body.textContent")).not.toMatch(/ada|penicillin|memories/u);
    expect(await page.innerText(".sign-in")).toContain("mnemosyne keys add --for <person>");
    expect(await seriousProblems(page)).toEqual([]);
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await page.keyboard.type("mnk_wrong");
    await page.keyboard.press("Enter");
    await page.waitForSelector('.sign-in [role=alert]:has-text("unknown, revoked or expired")');
    await page.fill(".sign-in input", key);
    await page.keyboard.press("Enter");
    await page.waitForSelector('.panel-text:has-text("penicillin")');
    expect(page.url()).not.toContain(key);
    expect(await page.evaluate("JSON.stringify(localStorage) + document.cookie")).not.toContain(key);
    await page.reload();
    await page.waitForSelector('.panel-text:has-text("penicillin")');
    const other = await visits.open(`${server.url}/#/ada/overview`);
    await other.waitForSelector(".sign-in");
    await page.goto(`${server.url}/#/ada/overview`);
    await page.waitForSelector("text=Counters are for an admin's key.");
    await page.waitForSelector("text=store answers");
    expect(refused).toEqual([]);
    await page.click("text=Sign out");
    await page.waitForSelector(".sign-in");
    expect(await page.evaluate("JSON.stringify(sessionStorage)")).not.toContain(key);
  });

  it("shows somebody else's key nothing of what was shown before", async () => {
    const page = await visits.open(`${server.url}/#/ada/graph`);
    const signInWith = async (given: string): Promise<void> => {
      await page.fill(".sign-in input", given);
      await page.keyboard.press("Enter");
    };
    await signInWith(key);
    await page.waitForSelector('.found:has-text("penicillin")');
    await page.click(".who");
    await page.click("text=Sign out");
    await signInWith(othersKey);
    await page.waitForSelector('.persons:has-text("ben")');
    await page.evaluate("location.hash = '#/ada/graph'");
    await page.waitForSelector(".trouble");
    expect(await page.evaluate("document.body.textContent")).not.toContain("penicillin");
  });

  it("offers no change where the key may only read, and says why", async () => {
    const page = await visits.open(`${server.url}/#/ada/graph?memory=allergy`);
    await page.fill(".sign-in input", key);
    await page.keyboard.press("Enter");
    for (const [place, shown] of [
      ["graph?memory=allergy", ".panel-text"],
      ["graph?memory=home", ".update-links li"],
      ["log", '.log li[data-interaction="weather"]'],
      ["core", '.fact:has-text("penicillin") .badge:text-is("pinned")'],
    ] as const) {
      await page.goto(`${server.url}/#/ada/${place}`);
      await page.waitForSelector(shown);
      await page.waitForSelector('.read-only:has-text("Your key may only read")');
      const names = await page.locator("main button").allInnerTexts();
      const changing = /correct|edit|pin|forget|remember it|choose several|still true/iu;
      expect([place, names.filter((name) => changing.test(name))]).toEqual([place, []]);
      expect(await seriousProblems(page)).toEqual([]);
    }
    await page.goto(`${server.url}/#/ada/overview`);
    await page.click("text=Sign out");
    await page.fill(".sign-in input", writingKey);
    await page.keyboard.press("Enter");
    await page.goto(`${server.url}/#/ada/graph?memory=allergy`);
    await page.waitForSelector('.panel >> button:text-is("Unpin")');
    expect(await page.locator(".read-only").count()).toBe(0);
  });
});

async function save(page: Page, click: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  return readFileSync(await download.path(), "latin1");
}
