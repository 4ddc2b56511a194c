/** The inspector in a real browser against the real server: seeing, finding, asking and replaying. */
import { describe, expect, it } from "vitest";
import {
  VisitedServer,
  fill,
  hasBrowser,
  hostileText,
  laidOut,
  seriousProblems,
  startInspector,
} from "./inspector-server.js";

describe.runIf(hasBrowser)("the inspector", () => {
  const visited = new VisitedServer((mnemosyne) => fill(mnemosyne, "ada"));
  const { folder, visits, at } = visited;

  /** A page that was open when its server stopped. */
  async function loseServer() {
    const path = folder.next();
    const { url, mnemosyne, stop } = await startInspector(path);
    await fill(mnemosyne, "ada");
    const page = await visits.open(`${url}/#/ada/graph`);
    await laidOut(page);
    await stop();
    await page.waitForSelector(".lost");
    return { path, page, port: Number(new URL(url).port) };
  }

  it("opens the graph of the only person, and a click on a memory shows it", async () => {
    const page = await visits.open(visited.server.url);
    await laidOut(page);
    expect(page.url()).toMatch(/#\/ada\/graph$/u);
    expect(await page.innerText(".finder [role=status]")).toBe("9 memories");
    const label = await page.getAttribute("canvas", "aria-label");
    expect(label).toMatch(/^Graph of 9 memories and \d+ edges?\./u);
    await page.click('.found button:has-text("Bristol")');
    await page.waitForSelector('.panel[data-memory="home"] .panel-text:has-text("near the harbour")');
    expect(await page.innerText(".panel .update-links")).toContain("outdated by");
    await page.waitForSelector(".panel .uplot canvas");
    expect(page.url()).toContain("memory=home");
  });

  it("reopens what a link names, and finds by words, state, kind and metadata", async () => {
    const page = await visits.open(at("ada/graph?memory=moved&find=choir"));
    await page.waitForSelector('.panel[data-memory="moved"] .panel-text:has-text("Lisbon")');
    expect(await page.innerText(".finder [role=status]")).toBe("2 memories");
    await page.fill('.finder input[type="search"]', "");
    await page.click(".filters summary");
    await page.selectOption('label:has-text("State") select', "waiting");
    await page.waitForSelector('[role=status]:has-text("2 memories")');
    await page.selectOption('label:has-text("State") select', "");
    await page.selectOption('label:has-text("Metadata") select', "agent=clinic");
    await page.waitForSelector('.found:has-text("penicillin")');
    expect(await page.innerText(".finder [role=status]")).toBe("1 memory");
    await page.click("text=No filter");
    await page.selectOption('label:has-text("Which") select', "outdated");
    await page.waitForSelector('.found:has-text("Bristol")');
    expect(page.url()).toContain("kind=outdated");
  });

  it("shows markup, terminal codes and marks of direction as text", async () => {
    const page = await visits.open(at("ada/graph?memory=hostile"));
    await page.waitForSelector(".panel-text .said");
    const shown = await page.textContent(".panel-text .said");
    expect(shown).toContain('<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>');
    expect(shown).toContain("␛[31mred␛[0m ⟨U+202E⟩reversed⟨U+202C⟩ &lt;b&gt;");
    expect(await page.evaluate("window.harmed")).toBeUndefined();
    expect(await page.evaluate(`document.querySelectorAll("main img, main script").length`)).toBe(0);
    await page.goto(at(`ada/recall?q=${encodeURIComponent(`${hostileText} solo`)}&seed=1`));
    await page.waitForSelector(".context");
    expect(await page.evaluate("window.harmed")).toBeUndefined();
  });

  it("recalls, plays it back, and the address replays the same", async () => {
    const page = await visits.open(at("ada/recall"));
    await page.fill(".finder textarea", "Where does the choir rehearse?");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".context");
    await expect.poll(() => page.url()).toContain("seed=");
    const context = await page.textContent(".context");
    expect(context).toMatch(/^<<<MEMORY/u);
    expect(context).toContain("village hall");
    await page.fill('.player input[type="range"]', "1");
    await page.waitForSelector(".bars li");
    expect(await page.getAttribute(".bars .bar", "aria-label")).toMatch(/^Score \d\.\d\d: what it says \d/u);
    await page.keyboard.press("ArrowRight");
    const address = page.url();
    const title = await page.innerText(".scene-title");
    const again = await visits.open(address);
    await again.waitForSelector(".context");
    expect(await again.textContent(".context")).toBe(context);
    expect(await again.innerText(".scene-title")).toBe(title);
  });

  it("works with keys alone: from memory to memory on the graph, and back to none", async () => {
    const page = await visits.open(at("ada/graph"));
    await laidOut(page);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(`document.activeElement.id`)).toBe("content");
    for (let i = 0; i < 40 && (await page.evaluate(`document.activeElement.tagName`)) !== "CANVAS"; i++) {
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector(".panel[data-memory]");
    const first = await page.getAttribute(".panel", "data-memory");
    const shown = (): Promise<string | null> => page.getAttribute(".panel", "data-memory");
    for (const key of ["ArrowLeft", "ArrowUp", "ArrowDown", "ArrowRight"]) {
      // At an edge of the graph there is nothing further in that direction.
      await page.keyboard.press(key);
      await page.waitForTimeout(100);
      if ((await shown()) !== first) break;
    }
    expect(await shown()).not.toBe(first);
    expect(await page.textContent(".stage [aria-live]")).not.toBe("");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".panel", { state: "detached" });
  });

  it("says that the server is gone, and goes on by itself when it is back", async () => {
    const { path, page, port } = await loseServer();
    // Asked in vain at least once.
    await page.waitForEvent("requestfailed", (request) => request.url().endsWith("/health"));
    expect(await page.innerText(".finder [role=status]")).toBe("9 memories");
    const other = await startInspector(path, { port });
    await page.waitForSelector(".lost", { state: "detached" });
    await other.mnemosyne.person("ada").commit({ turns: [{ who: "user", text: "I bought a cello." }], keep: true });
    await page.waitForSelector('.found:has-text("cello")');
    await other.stop();
  });

  it("loads the graph again when the server is back: nobody tells it what came meanwhile", async () => {
    const { path, page, port } = await loseServer();
    // On another port, where the page does not see it happen.
    const aside = await startInspector(path);
    await aside.mnemosyne
      .person("ada")
      .commit({ turns: [{ who: "user", text: "I bought a cello." }], keep: true }, { wait: true });
    await aside.stop();
    const other = await startInspector(path, { port });
    await page.waitForSelector('.found:has-text("cello")');
    expect(await page.innerText(".finder [role=status]")).toBe("10 memories");
    await laidOut(page);
    await other.stop();
  });

  it.each(["light", "dark"] as const)(
    "has no serious problem for a screen reader in the %s theme",
    async (colorScheme) => {
      const page = await visits.open(at("ada/graph?memory=home"), { colorScheme });
      const places = [
        "ada/graph?memory=home",
        "ada/recall?q=choir&seed=1&scene=1",
        "ada/recall?q=choir&seed=1",
        "ada/time?q=choir&seed=1",
        "ada/log",
        "ada/core",
        "ada/what-if?q=choir&set=decayFloor:0.5",
        "ada/overview",
      ];
      const found: Record<string, string[]> = {};
      for (const place of places) {
        await page.goto(at(place));
        await page.waitForSelector("main h2");
        await page.waitForTimeout(300);
        found[place] = await seriousProblems(page);
      }
      expect(found).toEqual(Object.fromEntries(places.map((place) => [place, []])));
    },
  );

  it.each(["light", "dark"] as const)(
    "has none in an open dialog or menu either, in the %s theme",
    async (colorScheme) => {
      const page = await visits.open(at("ada/graph?memory=home"), { colorScheme });
      await page.waitForSelector(".panel-text");
      await laidOut(page);
      const found: Record<string, string[]> = {};
      for (const name of ["Correct…", "Edit…", "Forget…"]) {
        await page.click(`.panel button:text-is("${name}")`);
        await page.waitForSelector("dialog[open]");
        found[name] = await seriousProblems(page);
        await page.keyboard.press("Escape");
        await page.waitForSelector("dialog", { state: "detached" });
      }
      await page.click(".share summary");
      found["Picture"] = await seriousProblems(page);
      await page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true");
      found["unfolded"] = await seriousProblems(page);
      expect(found).toEqual({ "Correct…": [], "Edit…": [], "Forget…": [], Picture: [], unfolded: [] });
    },
  );

  it("fits a phone without scrolling sideways", async () => {
    const page = await visits.open(at("ada/graph?memory=home"), { viewport: { width: 390, height: 844 } });
    for (const place of ["ada/graph?memory=home", "ada/recall?q=choir&seed=1&scene=1", "ada/overview"]) {
      await page.goto(at(place));
      await page.waitForSelector("main h2");
      expect(await page.evaluate("document.documentElement.scrollWidth"), place).toBeLessThanOrEqual(390);
    }
  });
});
