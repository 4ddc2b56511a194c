/** The real server with a small person, in this process, and a browser that reaches nothing else. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { Mnemosyne } from "../../../memory/src/index.js";
import { type RunningServer, startServer } from "../../src/server/server.js";
import { HashingEmbedder } from "../../../memory/test/durability/hashing-embedder.mjs";
import { ScriptedReader, lasting } from "../../../memory/test/engine/scripted-reader.js";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { loopbackSettings, recordingLog } from "../server/hostile-server.js";

const executablePath = process.env["MNEMOSYNE_CHROMIUM"] ?? "/usr/bin/chromium";

/** Where it must be there, a missing one is a failure. */
export const hasBrowser = process.env["CI"] === "true" || existsSync(executablePath);

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

export const hostileText =
  '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script> \u001B[31mred\u001B[0m \u202Ereversed\u202C &lt;b&gt;';

/** Ten memories: a pair, one that is outdated, states and metadata, and one that means harm. */
export async function fill(mnemosyne: Mnemosyne, name: string): Promise<void> {
  const person = mnemosyne.person(name);
  const days = (count: number): string =>
    new Date(Date.parse("2025-03-01T10:00:00Z") + count * 86_400_000).toISOString();
  const commit = async (id: string, text: string, count: number, more: object = {}): Promise<void> => {
    await person.commit({ id, turns: [{ who: "user", text }], at: days(count), keep: true, ...more }, { wait: true });
  };
  await commit("knee", "My right knee hurts when I climb the stairs to the piano room.", 0, { state: "waiting" });
  await commit("knee-again", "My right knee hurts when I climb the stairs to the piano room again.", 9, {
    state: "waiting",
  });
  await commit("tea", "I drink black tea with milk every morning at seven.", 12, { metadata: { agent: "kitchen" } });
  await commit("allergy", "I am allergic to penicillin and to adhesive plaster.", 15, {
    metadata: { agent: "clinic" },
  });
  await commit("home", "I live in Bristol in a house near the harbour.", 20);
  await commit("moved", "I live in Lisbon now in a flat near the river.", 60, { updates: ["home"] });
  await commit("choir", "The choir rehearses every Tuesday in the village hall.", 70, { state: "recovered" });
  await commit("choir-solo", "The choir sang my solo in the village hall on Tuesday.", 80, { state: "recovered" });
  await commit("hostile", hostileText, 85);
  await person.commit(
    { id: "weather", turns: [{ who: "user", text: "Good morning! How are you?" }], at: days(86) },
    { wait: true },
  );
}

/** The same with something pinned. */
export async function fillWithCore(mnemosyne: Mnemosyne, name: string): Promise<void> {
  await fill(mnemosyne, name);
  await mnemosyne.person(name).pin("allergy");
  await mnemosyne.person(name).coreSummary({ update: true });
}

const same = /right knee/u;

/** What lasts is where somebody lives and what they are allergic to; the knee is told twice. */
function createReader(): ScriptedReader {
  return new ScriptedReader({
    read: (statement) => {
      if (/^(?:Good morning|Hello)|How are you/u.test(statement)) return { fact: 0 };
      if (/allergic/u.test(statement)) return lasting("alert");
      return /live in/u.test(statement) ? lasting("home") : {};
    },
    relate: ({ older, newer }) => (same.test(older) && same.test(newer) ? "repeats" : "other"),
  });
}

export interface TestServer {
  readonly url: string;
  readonly mnemosyne: Mnemosyne;
  readonly stop: () => Promise<void>;
}

export async function startInspector(
  path: string,
  { port = 0, keysFile = null }: { readonly port?: number; readonly keysFile?: string | null } = {},
): Promise<TestServer> {
  const mnemosyne = await Mnemosyne.open({ path, embedder: new HashingEmbedder(), reader: createReader() });
  const settings = { ...loopbackSettings, port };
  const server: RunningServer = await startServer({
    mnemosyne,
    settings,
    log: recordingLog(),
    keysFile,
    auditFile: null,
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    await mnemosyne.close();
  };
  return { url: server.url, mnemosyne, stop };
}

/** Pages of one test; what they complain about, or ask others for, is a failure. */
export class Visits {
  #browser: Browser | undefined;
  #contexts: BrowserContext[] = [];
  #troubles: string[] = [];
  #elsewhere: string[] = [];

  async start(): Promise<void> {
    this.#browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--disable-background-networking"],
    });
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
  }

  /** `prepare` gets the page while it is empty yet. */
  async open(
    address: string,
    options: BrowserContextOptions = {},
    prepare: (page: Page) => Promise<void> = async () => {},
  ): Promise<Page> {
    const context = await this.#browser!.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
      ...options,
    });
    this.#contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const { origin } = new URL(address);
    page.on("request", (request) => {
      if (!request.url().startsWith(origin) && !request.url().startsWith("blob:")) this.#elsewhere.push(request.url());
    });
    page.on("pageerror", (error) => this.#troubles.push(error.message));
    page.on("console", (message) => {
      const isRefusal = message.text().startsWith("Failed to load resource");
      if ((message.type() === "error" || message.type() === "warning") && !isRefusal)
        this.#troubles.push(message.text());
    });
    await prepare(page);
    await page.goto(address);
    return page;
  }

  /** After each test. */
  async end(): Promise<void> {
    for (const context of this.#contexts) await context.close();
    const seen = { troubles: this.#troubles, elsewhere: this.#elsewhere };
    [this.#contexts, this.#troubles, this.#elsewhere] = [[], [], []];
    expect(seen).toEqual({ troubles: [], elsewhere: [] });
  }
}

/** What axe finds serious or worse, each with its place. The page's own policy forbids an injected script tag. */
export async function seriousProblems(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(axePath, "utf8"));
  const found = await page.evaluate(`axe.run(document, { resultTypes: ["violations"] })`);
  const { violations } = found as { violations: { id: string; impact: string; nodes: { target: string[] }[] }[] };
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}

export async function laidOut(page: Page): Promise<void> {
  await page.waitForSelector('.stage[data-laid-out="true"]');
}

/** A browser and a server for the tests around it, with what `fillIn` tells it. */
export class VisitedServer {
  readonly folder = new ScratchFolder();
  readonly visits = new Visits();
  server!: TestServer;

  /** With `addKeys`, one that asks for a key. */
  constructor(
    fillIn: (mnemosyne: Mnemosyne) => Promise<void>,
    addKeys: ((keysFile: string) => Promise<void>) | null = null,
  ) {
    beforeAll(async () => {
      const keysFile = addKeys === null ? null : this.folder.next(".json");
      if (keysFile !== null) await addKeys!(keysFile);
      this.server = await startInspector(this.folder.next(), { keysFile });
      await fillIn(this.server.mnemosyne);
      await this.visits.start();
    });
    afterEach(() => this.visits.end());
    afterAll(async () => {
      await this.visits.stop();
      await this.server.stop();
    });
  }

  readonly at = (place: string): string => `${this.server.url}/#/${place}`;
}
