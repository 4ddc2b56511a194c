/** The API's page in a real browser: nothing is refused by its policy, nothing comes from elsewhere, nothing is cut off. */
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { Servers, type Serving } from "./serving.js";

const executablePath = process.env["MNEMOSYNE_CHROMIUM"] ?? "/usr/bin/chromium";
const isWanted = process.env["CI"] === "true" || existsSync(executablePath);

describe.runIf(isWanted)("/docs", () => {
  const servers = new Servers();
  let serving: Serving;

  beforeAll(async () => {
    serving = await servers.start();
  });

  it.each([
    [1280, "light"],
    [390, "dark"],
  ] as const)("fits %i pixels in %s, with every link leading somewhere", async (width, colorScheme) => {
    const browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--disable-background-networking"],
    });
    try {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      const [troubles, elsewhere]: [string[], string[]] = [[], []];
      page.on("console", (message) => troubles.push(message.text()));
      page.on("pageerror", (error) => troubles.push(error.message));
      page.on("request", (request) => {
        if (!request.url().startsWith(serving.url)) elsewhere.push(request.url());
      });
      await page.goto(`${serving.url}/docs`);
      const found = await page.evaluate(`(() => {
        for (const each of document.querySelectorAll("details")) each.open = true;
        const links = [...document.querySelectorAll('a[href^="#"]')].map((link) => link.hash.slice(1));
        const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
        return {
          isTooWide: document.documentElement.scrollWidth > innerWidth,
          cutCount: [...document.querySelectorAll("div.scroll")].filter((each) => each.scrollWidth > each.clientWidth).length,
          deadLinks: links.filter((id) => !ids.includes(id)),
          doubleIds: ids.filter((id, i) => ids.indexOf(id) !== i),
          isStyled: getComputedStyle(document.querySelector("summary")).cursor === "pointer",
          scriptCount: document.scripts.length,
          linkCount: links.length,
        };
      })()`);
      expect({ troubles, elsewhere }).toEqual({ troubles: [], elsewhere: [] });
      expect(found).toMatchObject({
        isTooWide: false,
        cutCount: 0,
        deadLinks: [],
        doubleIds: [],
        isStyled: true,
        scriptCount: 0,
      });
      expect((found as { linkCount: number }).linkCount).toBeGreaterThan(50);
    } finally {
      await browser.close();
    }
  });
});
