/** The client in a real browser: a page of an allowed origin uses the built files as they are; that of another may not. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { type Browser, type Page, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Servers, type Serving } from "../server/serving.js";

const executablePath = process.env["MNEMOSYNE_CHROMIUM"] ?? "/usr/bin/chromium";
const isWanted = process.env["CI"] === "true" || existsSync(executablePath);
type Client = typeof import("mnemosyne-edge-server/client");
const pageText = `<!doctype html><title>A page</title>
<script type="module">import * as client from "/index.js"; globalThis.client = client;</script>`;
const built = fileURLToPath(new URL("../../dist/client/", import.meta.url));

describe("the built client", () => {
  const files = readdirSync(built).filter((name) => name.endsWith(".js"));

  it("imports nothing but its own files, and uses nothing that only Node has", () => {
    expect(files.length).toBeGreaterThan(5);
    for (const name of files) {
      const text = readFileSync(built + name, "utf8");
      const imported = [...text.matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/gu)].map(([, path]) => path!);
      expect(imported.filter((path) => !files.includes(path.replace("./", "")))).toEqual([]);
      expect(text).not.toMatch(/\b(?:Buffer|process|require|__dirname|setImmediate)\b/u);
    }
  });
});

describe.runIf(isWanted)("the client in a browser", () => {
  const servers = new Servers();
  let serving: Serving;
  let browser: Browser;
  let pages: Server;
  let origin: string;

  beforeAll(async () => {
    pages = createServer((request, response) => {
      const name = request.url!.slice(1);
      const isModule = /^[\w-]+\.js$/u.test(name) && existsSync(built + name);
      response.setHeader("content-type", isModule ? "text/javascript" : "text/html");
      response.end(isModule ? readFileSync(built + name) : pageText);
    });
    await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    serving = await servers.start({ allowedOrigins: [origin] });
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-background-networking"] });
  });

  afterAll(async () => {
    await browser?.close();
    pages.close();
  });

  async function open(address: string): Promise<Page> {
    const page = await browser.newPage();
    await page.goto(address);
    await page.waitForFunction("globalThis.client !== undefined");
    return page;
  }

  it("commits, recalls, lists, exports, imports and hears events", async () => {
    const page = await open(origin);
    const result = await page.evaluate(async (url) => {
      const { MnemosyneClient } = (globalThis as unknown as { client: Client }).client;
      const ada = new MnemosyneClient({ url }).person("Ada Löv/e");
      const [events, controller] = [[] as string[], new AbortController()];
      let isConnected = (): void => {};
      const connected = new Promise<void>((resolve) => (isConnected = resolve));
      const reading = (async () => {
        for await (const { name } of ada.events({ signal: controller.signal, onConnect: isConnected }))
          events.push(name);
      })();
      await connected;
      await ada.commit({ id: "a:b", summary: "I am allergic to penicillin.", keep: true }, { wait: true });
      const { tag } = await ada.get("a:b");
      await ada.update("a:b", { summary: "I am allergic to nuts." }, { ifTag: tag });
      const refused: unknown = await ada
        .update("a:b", { state: "ill" }, { ifTag: tag })
        .catch((error: unknown) => error);
      const { memories } = await ada.recall("What am I allergic to?", { trace: false });
      const lines: string[] = [];
      for await (const line of ada.export()) lines.push(line);
      const copy = new MnemosyneClient({ url }).person("copy");
      const imported = await copy.import(new Blob([lines.join("\n")]).stream());
      const talk = await ada.conversation();
      await talk.add("I have a parrot.");
      await talk.end();
      while (!events.includes("edited")) await new Promise((resolve) => setTimeout(resolve, 5));
      controller.abort();
      await reading;
      const { code, status } = refused as { code: string; status: number };
      return {
        ids: memories.map(({ id }) => id),
        imported,
        refused: { code, status },
        turnCount: talk.turns.length,
        events,
      };
    }, serving.url);
    expect(result).toMatchObject({
      ids: ["a:b"],
      imported: { mode: "restored", acceptedCount: 1 },
      refused: { code: "edit_conflict", status: 412 },
      turnCount: 1,
    });
    expect(result.events).toContain("committed");
    expect(await serving.mnemosyne.persons()).toEqual(["Ada Löv/e", "copy"]);
  });

  it("is refused where the page's origin is not allowed", async () => {
    const page = await open(origin.replace("127.0.0.1", "localhost"));
    const code = await page.evaluate(async (url) => {
      const { MnemosyneClient } = (globalThis as unknown as { client: Client }).client;
      const client = new MnemosyneClient({ url, retries: 0 });
      return client
        .person("eve")
        .commit("I was here.")
        .then(String, (error: { code: string }) => error.code);
    }, serving.url);
    expect(code).toBe("network_failed");
    expect(await serving.mnemosyne.persons()).not.toContain("eve");
  });
});
