/** A memory that changes while it is looked at: the log as it grows, wrong links, the past, and a server that goes away. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import {
  type TestServer,
  Visits,
  fill,
  hasBrowser,
  laidOut,
  startInspector,
} from "../../test/inspector/inspector-server.js";

describe.runIf(hasBrowser)("changing a memory", () => {
  const folder = new ScratchFolder();
  const visits = new Visits();
  let path: string;
  let server: TestServer;
  const at = (place: string): string => `${server.url}/#/${place}`;
  const ada = () => server.mnemosyne.person("ada");
  const day = (count: number): string =>
    new Date(Date.parse("2025-03-01T10:00:00Z") + count * 86_400_000).toISOString();
  const entry = (id: string): string => `.log li[data-interaction="${id}"]`;
  const say = (id: string, text: string, more: object = {}) =>
    ada().commit({ id, turns: [{ who: "user", text }], keep: true, ...more }, { wait: true });

  beforeAll(() => visits.start());
  beforeEach(async () => {
    path = folder.next();
    server = await startInspector(path);
    await fill(server.mnemosyne, "ada");
  });
  afterEach(async () => {
    await visits.end();
    await server.stop();
  });
  afterAll(() => visits.stop());

  it("shows the log as it grows, restores what was not kept, and names memories that open", async () => {
    const page = await visits.open(at("ada/log"));
    await page.waitForSelector(entry("weather"));
    await page.waitForSelector(".live-dot", { state: "attached" });
    await say("cello", "I bought a cello.");
    await page.waitForSelector(entry("cello"));
    await page.click(`${entry("weather")} >> text=Remember it after all`);
    await page.waitForSelector(`${entry("weather")}:has-text("restored as you asked")`);
    expect((await ada().get("weather")).outcome).toBe("committed");
    await page.click(`${entry("moved")} summary`);
    await page.waitForSelector(`${entry("moved")} li:has-text("ends something in I live in Bristol")`);
    await page.click(`${entry("moved")} .log-line button[title="home"]`);
    await page.waitForSelector('.panel[data-memory="home"]');
    await ada().forget("home");
    await page.goto(at("ada/log"));
    await page.waitForSelector(`${entry("moved")} .log-line code:has-text("(forgotten)")`);
  });

  it("reads a long history from its newest end, and earlier ones on demand", async () => {
    const turns = [{ who: "user", text: "Hello! How are you?" }];
    const greetings = Array.from({ length: 400 }, (_, i) => ({ id: `hello-${i}`, turns, at: day(90 + i) }));
    await ada().commitMany(greetings);
    await ada().settled();
    const page = await visits.open(at("ada/log"));
    await page.waitForSelector(entry("hello-399"));
    expect(await page.locator(".log > li").count()).toBe(150);
    await page.click("text=Show earlier");
    await page.waitForSelector(entry("hello-110"));
    expect(await page.locator(".log > li").count()).toBe(300);
  });

  it("takes a wrong link back", async () => {
    const page = await visits.open(at("ada/graph?memory=home"));
    await page.click('.update-links button.link:has-text("outdated by 30 Apr 2025: user: I live in Lisbon now")');
    await page.waitForSelector('.panel-text:has-text("Lisbon")');
    await page.click(".update-links >> text=Still true");
    await page.waitForSelector(".update-links", { state: "detached" });
    expect((await ada().get("home")).outdatedBy).toEqual([]);
  });

  it("warns instead of overwriting what somebody else edited meanwhile", async () => {
    const page = await visits.open(at("ada/graph?memory=tea"));
    await page.click('.panel button:text-is("Edit…")');
    await page.fill("dialog textarea", "I drink green tea.");
    await ada().update("tea", { summary: "I drink white tea." });
    await page.click('dialog button:text-is("Save")');
    await page.waitForSelector('dialog .trouble:has-text("Somebody changed it meanwhile")');
    expect((await ada().get("tea")).summary).toBe("I drink white tea.");
  });

  it("goes back in time, but not to what was forgotten", async () => {
    await ada().forget("tea");
    const page = await visits.open(at(`ada/recall?q=${encodeURIComponent("Where do I live?")}&seed=7&at=${day(70)}`));
    await page.waitForSelector('.answer:has-text("Lisbon")');
    expect(await page.textContent("main")).not.toContain("black tea");
  });

  it("says in the core memory what made a fact leave it", async () => {
    await ada().pin("allergy");
    await ada().coreSummary({ update: true });
    await ada().correct("allergy", "I am not allergic to penicillin, only to plaster.", { id: "no-allergy" });
    await ada().coreSummary({ update: true });
    const page = await visits.open(at("ada/core"));
    const left = page.locator(".change .only-left", { hasText: "left: I am allergic to penicillin" });
    await left.locator('button[title="no-allergy"]:has-text("only to plaster")').click();
    await page.waitForSelector('.panel[data-memory="no-allergy"]');
  });

  it("offers for each fact to correct it, to say that it is not true, to remove it and to pin it", async () => {
    const page = await visits.open(at("ada/core"));
    const fact = (text: string) => page.locator(".fact", { hasText: text });
    await fact("penicillin").waitFor();
    const names = await fact("penicillin").locator(".fact-line button").allInnerTexts();
    expect(names.slice(1)).toEqual(["Correct…", "Not true", "Remove", "Pin"]);
    await fact("penicillin").locator("text=Pin").click();
    await fact("penicillin").locator("text=Unpin").waitFor();
    expect((await ada().get("allergy")).statements[0]!.marks).toEqual(["pinned"]);
    await fact("penicillin").locator("text=Not true").click();
    await fact("penicillin").waitFor({ state: "detached" });
    expect((await ada().get("allergy")).statements[0]!.marks).toEqual(["untrue"]);
    expect((await ada().recall("What am I allergic to?")).context).not.toContain("penicillin");
    await fact("Lisbon").locator("text=Correct…").click();
    await page.fill("dialog textarea", "I live in Porto now.");
    await page.click('dialog button:text-is("Correct")');
    const done = await page.innerText("dialog [role=status]");
    expect(done).toMatch(/^Corrected: the new memory is there\. Done$/u);
    await page.click('dialog [role=status] button:text-is("Done")');
    await fact("Porto").locator("text=Remove").click();
    await fact("Porto").waitFor({ state: "detached" });
    expect((await ada().recall("Where do I live?")).context).toContain("Porto");
  });

  it("strikes through what ended, with what replaced it, and takes back what was withdrawn", async () => {
    const id = "talk";
    await say(id, "I have a dog called Rex. I play the cello. My bank is in Leeds.", { at: day(87) });
    await say("no-dog", "Rex died.", { at: day(88), updates: "talk#0" });
    await ada().withdraw("talk#1", "untrue");
    await ada().withdraw("talk#2");
    const page = await visits.open(at(`ada/graph?memory=${id}`));
    const statement = (position: number) => page.locator(`.statements li[data-statement="talk#${position}"]`);
    expect(await statement(0).locator("del").innerText()).toBe("I have a dog called Rex.");
    expect(await statement(0).innerText()).toMatch(/until 28 May 2025\s+replaced by Rex died\./u);
    expect(await statement(1).locator("del").innerText()).toBe("I play the cello.");
    expect(await statement(1).innerText()).toContain("not true");
    expect(await statement(2).locator("del").count()).toBe(0);
    expect(await page.innerText(".panel .update-links")).toContain("partly outdated by");
    await statement(1).locator("text=Take it back").click();
    await statement(1).locator("del").waitFor({ state: "detached" });
    expect((await ada().get(id)).statements.map(({ marks }) => marks)).toEqual([[], [], ["removed"]]);
    await statement(0).locator("button.link").click();
    await page.waitForSelector('.panel[data-memory="no-dog"]');
  });

  it("names in the log what a wish to forget means, and lets it hold again", async () => {
    await say("boat", "My boat is called Gull.", { at: day(87) });
    await say("wish", "Please forget what I said about the boat.", { at: day(88), keep: false });
    const page = await visits.open(at("ada/log"));
    await page.waitForSelector(`${entry("wish")} .outcome-forgetAsked`);
    await page.click(`${entry("wish")} summary`);
    await page.waitForSelector(`${entry("wish")} li:has-text("asks to forget something in"):has-text("Gull")`);
    expect((await ada().get("boat")).statements[0]!.marks).toEqual(["held"]);
    await page.click(`${entry("wish")} >> text=Keep what it means`);
    await expect.poll(async () => (await ada().get("boat")).statements[0]!.marks).toEqual([]);
  });

  it("says that the server is gone, and shows what came meanwhile when it is back", async () => {
    const page = await visits.open(at("ada/graph"));
    await laidOut(page);
    const port = Number(new URL(server.url).port);
    await server.stop();
    await page.waitForSelector(".lost");
    expect(await page.innerText(".finder [role=status]")).toBe("9 memories");
    // On another port, where the page does not see it happen.
    server = await startInspector(path);
    await say("cello", "I bought a cello.");
    await server.stop();
    server = await startInspector(path, { port });
    await page.waitForSelector('.found:has-text("cello")');
    await page.waitForSelector(".lost", { state: "detached" });
  });
});
