/** The inspector's main path in a real browser against the real server: see, find, ask, correct and forget. */
import { describe, expect, it } from "vitest";
import { addKey } from "../../src/server/security/key-file.js";
import { VisitedServer, fill, fillWithCore, hasBrowser, hostileText, laidOut } from "./inspector-server.js";

describe.runIf(hasBrowser)("the inspector", () => {
  const visited = new VisitedServer((mnemosyne) => fillWithCore(mnemosyne, "ada"));
  const { visits, at } = visited;

  it("opens the graph of the only person, finds memories, and shows one with what replaced it", async () => {
    const page = await visits.open(visited.server.url);
    await laidOut(page);
    expect(page.url()).toMatch(/#\/ada\/graph$/u);
    expect(await page.innerText(".finder [role=status]")).toBe("9 memories");
    expect(await page.getAttribute("canvas", "aria-label")).toMatch(/^Graph of 9 memories and \d+ edges?\./u);
    await page.click(".filters summary");
    await page.selectOption('label:has-text("Metadata") select', "agent=clinic");
    await page.waitForSelector('.finder [role=status]:text-is("1 memory")');
    await page.click("text=No filter");
    await page.fill('.finder input[type="search"]', "bristol");
    await page.click('.found button:has-text("Bristol")');
    await page.waitForSelector('.panel[data-memory="home"] .panel-text:has-text("near the harbour")');
    expect(await page.innerText(".panel .update-links")).toContain("outdated by");
    expect(await page.getAttribute(".panel .curve svg", "aria-label")).toMatch(/^Decay: \d+ percent now/u);
    expect(page.url()).toContain("memory=home");
  });

  it("asks, shows the context oldest first and how it was found, and the address replays the same", async () => {
    const page = await visits.open(at("ada/recall"));
    await page.fill(".finder textarea", "Where does the choir rehearse, and where do I live now?");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".context");
    await expect.poll(() => page.url()).toContain("seed=");
    const context = (await page.textContent(".context"))!;
    expect(context).toMatch(/^<<<MEMORY/u);
    const said = context.slice(context.indexOf("From earlier conversations"));
    expect(said.indexOf("Lisbon")).toBeGreaterThan(0);
    expect(said.indexOf("rehearses every Tuesday")).toBeGreaterThan(said.indexOf("Lisbon"));
    await page.fill('.player input[type="range"]', "1");
    await page.waitForSelector(".bars li");
    expect(await page.getAttribute(".bars .bar", "aria-label")).toMatch(/^Score \d\.\d\d: meaning \d/u);
    await page.keyboard.press("ArrowRight");
    const title = await page.innerText(".scene-title");
    const again = await visits.open(page.url());
    await again.waitForSelector(".context");
    expect(await again.textContent(".context")).toBe(context);
    expect(await again.innerText(".scene-title")).toBe(title);
  });

  it("shows every other view", async () => {
    const page = await visits.open(at("ada/log"));
    expect(await page.innerText('.log li[data-interaction="weather"]')).toMatch(/^not kept\s.+\ssmall talk\s/su);
    await page.click("nav >> text=Core memory");
    await page.waitForSelector('.fact:has-text("penicillin") >> text=Unpin');
    await page.click("nav >> text=Overview");
    await page.waitForSelector('.figures div:has(dt:text-is("memories")):has-text("9")');
    await page.waitForSelector("text=store answers");
  });

  it("shows markup, terminal codes and marks of direction as text", async () => {
    const page = await visits.open(at("ada/graph?memory=hostile"));
    await page.waitForSelector(".panel-text .said");
    const shown = await page.textContent(".panel-text .said");
    expect(shown).toContain('<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>');
    expect(shown).toContain("␛[31mred␛[0m ⟨U+202E⟩reversed⟨U+202C⟩ &lt;b&gt;");
    await page.goto(at(`ada/recall?q=${encodeURIComponent(`${hostileText} solo`)}&seed=1`));
    await page.waitForSelector(".context");
    expect(await page.evaluate("window.harmed")).toBeUndefined();
    expect(await page.evaluate(`document.querySelectorAll("main img, main script").length`)).toBe(0);
  });

  it("corrects a memory, and the earlier one is outdated", async () => {
    const page = await visits.open(at("ada/graph?memory=tea"));
    await page.click('.panel button:text-is("Correct…")');
    await page.fill("dialog textarea", "I drink green tea now.");
    await page.click('dialog button:text-is("Correct")');
    await page.click('dialog [role=status] button:text-is("Done")');
    await page.waitForSelector('.update-links li:has-text("outdated by"):has-text("green tea")');
    expect((await visited.server.mnemosyne.person("ada").get("tea")).outdatedBy).toHaveLength(1);
  });

  it("forgets for good only after a confirmation, and says what was removed", async () => {
    const page = await visits.open(at("ada/graph?memory=moved"));
    await page.click('.panel button:text-is("Forget…")');
    await page.waitForSelector("dialog .going");
    expect(await page.innerText("dialog")).toContain("1 earlier memory will hold again");
    expect(await page.isDisabled('dialog button:text-is("Forget")')).toBe(true);
    await page.check("dialog .check input");
    await page.click('dialog button:text-is("Forget")');
    await page.waitForSelector(".receipt");
    await page.click('.receipt button:text-is("Done")');
    await page.waitForSelector(".panel", { state: "detached" });
    await expect.poll(() => page.textContent("main")).not.toContain("Lisbon");
    const ada = visited.server.mnemosyne.person("ada");
    await expect(ada.get("moved")).rejects.toMatchObject({ code: "unknown_id" });
    expect((await ada.get("home")).outdatedBy).toEqual([]);
  });
});

describe.runIf(hasBrowser)("a server that asks for a key", () => {
  let key: string;
  let othersKey: string;
  const { visits, at } = new VisitedServer(
    (mnemosyne) => fill(mnemosyne, "ada"),
    async (keysFile) => {
      const wanted = { label: "test", expiresAt: null, isAdmin: false, isReadOnly: true };
      ({ key } = await addKey(keysFile, { ...wanted, persons: ["ada"] }));
      ({ key: othersKey } = await addKey(keysFile, { ...wanted, persons: ["ben"] }));
    },
  );

  it("shows nothing without one, keeps it for the tab, and offers and shows only what it allows", async () => {
    const page = await visits.open(at("ada/graph?memory=allergy"));
    const signInWith = async (given: string): Promise<void> => {
      await page.fill(".sign-in input", given);
      await page.keyboard.press("Enter");
    };
    await page.waitForSelector(".sign-in");
    expect(await page.evaluate("document.body.textContent")).not.toMatch(/ada|penicillin|memories/u);
    await signInWith("mnk_wrong");
    await page.waitForSelector('.sign-in [role=alert]:has-text("unknown, revoked or expired")');
    await signInWith(key);
    await page.waitForSelector('.panel-text:has-text("penicillin")');
    await page.waitForSelector('.panel .read-only:has-text("Your key may only read")');
    const changing = /correct|edit|pin|forget|choose several|not true|remove|take it back/iu;
    const offered = async (): Promise<string[]> =>
      (await page.locator("main button").allInnerTexts()).filter((name) => changing.test(name));
    expect(await offered()).toEqual([]);
    await page.goto(at("ada/core"));
    await page.waitForSelector('.fact:has-text("penicillin")');
    expect(await offered()).toEqual([]);
    expect(page.url()).not.toContain(key);
    expect(await page.evaluate("JSON.stringify(localStorage) + document.cookie")).not.toContain(key);
    await page.goto(at("ada/overview"));
    await page.click("text=Sign out");
    expect(await page.evaluate("JSON.stringify(sessionStorage)")).not.toContain(key);
    await signInWith(othersKey);
    await page.waitForSelector('.persons:has-text("ben")');
    await page.evaluate("location.hash = '#/ada/graph'");
    await page.waitForSelector(".trouble");
    expect(await page.evaluate("document.body.textContent")).not.toContain("penicillin");
  });
});
