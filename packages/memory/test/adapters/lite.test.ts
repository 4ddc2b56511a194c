/** A memory in little room: the model layer by layer in one process, the store on the caller's thread, the same results. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { Mnemosyne, type MnemosyneOptions } from "mnemosyne-edge";
import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
import { afterAll, describe, expect, it } from "vitest";
import { quantizeVector } from "../../src/core/vectors/quantized-vector.js";

const texts = [
  "",
  "The cat sleeps on the sofa.",
  "How sore was the knee in the week before I went into theatre?",
  "Naïve café, 120/80 mmHg, 他昨天去了医院。",
  "She said it again and again. ".repeat(60),
];

describe("the lite embedder", () => {
  const lite = new BundledEmbedder({ way: "fast", isLite: true });
  const portable = new BundledEmbedder({ way: "portable" });
  afterAll(() => Promise.all([lite.close(), portable.close()]));

  it("gives the vectors of the portable one but for rounding", async () => {
    const [a, b] = [await lite.embed(texts), await portable.embed(texts)];
    expect(lite.identity).toEqual(portable.identity);
    expect(lite.runtime).toBe("onnxruntime, layer by layer in the same process");
    for (const [i, vector] of a.entries()) {
      const codes = quantizeVector(b[i]!);
      const steps = quantizeVector(vector).map((code, k) => Math.abs(code - codes[k]!));
      expect(Math.max(...steps)).toBeLessThanOrEqual(1);
    }
  }, 60_000);

  it("gives a text the same numbers alone, beside others and while others are asked for", async () => {
    const together = await lite.embed(texts);
    const alone = await Promise.all(texts.map((text) => lite.embed([text])));
    expect(alone).toEqual(together.map((vector) => [vector]));
    expect(await lite.embed([])).toEqual([]);
  });

  it("lets others have their turn while it works", async () => {
    let tickCount = 0;
    const ticking = setInterval(() => tickCount++, 0);
    await lite.embed([texts[4]!]);
    clearInterval(ticking);
    expect(tickCount).toBeGreaterThan(3);
  });

  it("works again after it was closed", async () => {
    const [before] = await lite.embed([texts[1]!]);
    await lite.close();
    expect(await lite.embed([texts[1]!])).toEqual([before]);
  });

  it("finds its weights again after the caller has changed the working directory", async () => {
    const [before] = await lite.embed([texts[1]!]);
    const folder = process.cwd();
    process.chdir(tmpdir());
    try {
      expect(await lite.embed([texts[1]!])).toEqual([before]);
    } finally {
      process.chdir(folder);
    }
  });

  it("refuses to run on a thread that may be ended, so that the portable one takes over", async () => {
    const script = `
      const { parentPort } = require("node:worker_threads");
      import(${JSON.stringify(import.meta.resolve("mnemosyne-edge/embedder/bundled"))}).then(({ BundledEmbedder }) =>
        new BundledEmbedder({ way: "fast", isLite: true }).embed(["anything"]).catch(({ message }) => parentPort.postMessage(message)));`;
    const worker = new Worker(script, { eval: true });
    const [message] = (await once(worker, "message")) as [string];
    await worker.terminate();
    expect(message).toMatch(/on the main thread only/u);
  });
});

describe("a memory", () => {
  const folder = mkdtempSync(join(tmpdir(), "mnemosyne-lite-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const conversations = [
    "I moved to Lisbon for the job at the aquarium.",
    "The doctor says I am allergic to penicillin.",
    "My sister Ines plays the cello in an orchestra.",
    "I bought a red bicycle to ride to the harbour.",
  ];
  const questions = ["Where do I work?", "Which medicine must I not take?", "Who makes music?", "How do I get around?"];
  const clock = { nowMs: () => Date.UTC(2025, 5, 15, 12) };
  const settings: MnemosyneOptions = { clock, timeZone: "UTC", parameters: { substanceThreshold: -10 } };

  async function fill(path: string, ways: readonly MnemosyneOptions[]): Promise<void> {
    for (const [i, text] of conversations.entries()) {
      const mnemosyne = await Mnemosyne.open({ ...settings, ...ways[i % ways.length], path });
      const at = Date.UTC(2025, 5, 1 + i, 12);
      await mnemosyne.person().commit({ id: `talk-${i}`, at: new Date(at), turns: [{ who: "user", text }] });
      await mnemosyne.settled();
      await mnemosyne.close();
    }
  }

  async function ask(path: string, way: MnemosyneOptions): Promise<unknown[]> {
    const mnemosyne = await Mnemosyne.open({ ...settings, ...way, path });
    const answers: unknown[] = [];
    for (const question of questions) {
      const { context, memories } = await mnemosyne.person().recall(question, { seed: 1 });
      answers.push({ context, ids: memories.map(({ id }) => id) });
    }
    await mnemosyne.close();
    return answers;
  }

  it("filled by all ways in turn answers every way as one filled by a single way does", async () => {
    const [fast, portable, lite] = [{ embedder: "fast" }, { embedder: "portable" }, { lite: true }] as const;
    const [pure, mixed] = [join(folder, "pure.db"), join(folder, "mixed.db")];
    await fill(pure, [fast]);
    await fill(mixed, [fast, portable, lite]);
    const expected = await ask(pure, fast);
    expect(JSON.stringify(expected[0])).toContain("aquarium");
    for (const way of [fast, portable, lite]) expect(await ask(mixed, way)).toEqual(expected);
  }, 120_000);

  it("starts neither a process nor a thread when it is lite", async () => {
    const started: unknown[] = [];
    const note = (message: unknown): number => started.push(message);
    subscribe("child_process", note);
    subscribe("worker_threads", note);
    try {
      const mnemosyne = await Mnemosyne.open({ ...settings, path: join(folder, "pure.db"), lite: true });
      await mnemosyne.person().recall(questions[0]!);
      expect((await mnemosyne.describe()).embedderRuntime).toMatch(/in the same process/u);
      await mnemosyne.close();
      expect(started).toEqual([]);
    } finally {
      unsubscribe("child_process", note);
      unsubscribe("worker_threads", note);
    }
  });
});
