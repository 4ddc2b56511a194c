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
    await page.waitForSelector(`${entry("moved")} li:has-text("makes outdated: I live in Bristol")`);
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
    const left = page.locator(".change .only-left", { hasText: "left, outdated" });
    await left.locator('button[title="no-allergy"]:has-text("only to plaster")').click();
    await page.waitForSelector('.panel[data-memory="no-allergy"]');
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
