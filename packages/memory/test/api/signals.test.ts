/** Calls that are aborted: they end at once with the signal's reason, and lose nothing that was accepted. */
import { getEventListeners } from "node:events";
import type { LanguageModel, LanguageModelRequest, Mnemosyne, PersonMemory } from "mnemosyne-edge";
import { expect, it, onTestFinished } from "vitest";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { interactionAt } from "../durability/laboratory.mjs";
import { openMemories } from "../durability/opened-memories.js";

/** An embedder that waits while its gate is shut. */
class GatedEmbedder extends HashingEmbedder {
  #gate: Promise<void> = Promise.resolve();
  #open = (): void => {};
  #reached = (): void => {};

  /** Resolves when somebody waits at the gate. */
  shut(): Promise<void> {
    this.#gate = new Promise((resolve) => (this.#open = resolve));
    return new Promise((resolve) => (this.#reached = resolve));
  }

  open(): void {
    this.#open();
    this.#gate = Promise.resolve();
  }

  override async embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.#reached();
    await this.#gate;
    return super.embed(texts);
  }
}

/** A model that never answers, but heeds the signal. */
class SilentModel implements LanguageModel {
  readonly name = "silent";
  readonly requests: LanguageModelRequest[] = [];
  readonly asked: Promise<void>;
  #ask = (): void => {};

  constructor() {
    this.asked = new Promise((resolve) => (this.#ask = resolve));
  }

  complete(request: LanguageModelRequest): Promise<string> {
    this.requests.push(request);
    this.#ask();
    return new Promise((_, reject) => {
      request.signal!.addEventListener("abort", () => reject(request.signal!.reason as Error));
    });
  }
}

const reason = new Error("nobody waits");

/** Fails the test that leaves a rejection behind. */
function watchRejections(): void {
  const seen: unknown[] = [];
  const note = (error: unknown): void => void seen.push(error);
  process.on("unhandledRejection", note);
  onTestFinished(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", note);
    expect(seen).toEqual([]);
  });
}

async function openGated(): Promise<{ mnemosyne: Mnemosyne; ada: PersonMemory; embedder: GatedEmbedder }> {
  watchRejections();
  const embedder = new GatedEmbedder();
  const mnemosyne = await openMemories({ path: ":memory:", embedder });
  const ada = mnemosyne.person("ada");
  for (let position = 0; position < 6; position++) await ada.commit(interactionAt(position));
  await ada.settled();
  onTestFinished(() => embedder.open());
  return { mnemosyne, ada, embedder };
}

function listenersOf(signal: AbortSignal): number {
  return getEventListeners(signal, "abort").length;
}

it("a signal that is aborted already ends every call before it does anything", async () => {
  const { mnemosyne, ada } = await openGated();
  const signal = AbortSignal.abort();
  const before = await ada.history();
  let count = 0;
  const source = {
    [Symbol.asyncIterator]() {
      count++;
      return { next: async () => ({ done: true as const, value: undefined }) };
    },
  };
  const calls = [
    ada.recall("Where?", { signal }),
    ada.commit("I row.", { signal }),
    ada.commit("I row.", { signal, wait: true }),
    ada.commitMany(["I row."], { signal }),
    ada.commitMany(source, { signal }),
    ada.import(['{"summary":"I row."}'], { signal }),
    ada.import(source, { signal }),
    ada.refine({ signal }),
    ada.settled({ signal }),
    mnemosyne.settled({ signal }),
  ];
  for (const call of calls) await expect(call).rejects.toMatchObject({ name: "AbortError" });
  expect(await ada.history()).toEqual(before);
  expect(count).toBe(0);
  expect(listenersOf(signal)).toBe(0);
});

it("a recall ends while the embedder works, and the next one is answered", async () => {
  const { ada, embedder } = await openGated();
  const controller = new AbortController();
  const reached = embedder.shut();
  const recalling = ada.recall("How was the garden?", { signal: controller.signal, seed: 1 });
  await reached;
  controller.abort(reason);
  await expect(recalling).rejects.toBe(reason);
  expect(listenersOf(controller.signal)).toBe(0);
  embedder.open();
  const { memories } = await ada.recall("How was the garden?", { seed: 1 });
  expect(memories.length).toBeGreaterThan(0);
  expect((await ada.commit("I row.", { wait: true })).outcome).toBe("committed");
});

it("a commit that is waited for ends, and what was accepted becomes a memory", async () => {
  const { ada, embedder } = await openGated();
  const controller = new AbortController();
  const reached = embedder.shut();
  const committing = ada.commit({ id: "rows", summary: "Ada rows." }, { wait: true, signal: controller.signal });
  await reached;
  controller.abort(reason);
  await expect(committing).rejects.toBe(reason);
  expect(listenersOf(controller.signal)).toBe(0);
  expect((await ada.history({ ids: ["rows"] }))[0]).toMatchObject({ outcome: "queued" });
  embedder.open();
  await ada.settled();
  expect(await ada.get("rows")).toMatchObject({ outcome: "committed" });
});

it("settled ends, for one person and for all", async () => {
  const { mnemosyne, ada, embedder } = await openGated();
  const reached = embedder.shut();
  await ada.commit({ id: "rows", summary: "Ada rows." });
  await reached;
  for (const source of [ada, mnemosyne]) {
    const controller = new AbortController();
    const settling = source.settled({ signal: controller.signal });
    controller.abort(reason);
    await expect(settling).rejects.toBe(reason);
    expect(listenersOf(controller.signal)).toBe(0);
  }
  embedder.open();
  await mnemosyne.settled();
  expect(await ada.get("rows")).toMatchObject({ outcome: "committed" });
});

it("many interactions end between two, and those before stay", async () => {
  const { ada } = await openGated();
  const controller = new AbortController();
  const onProgress = (doneCount: number): void => {
    if (doneCount === 2) controller.abort(reason);
  };
  const options = { signal: controller.signal, onProgress };
  const list = ["a", "b", "c"].map((id) => ({ id, summary: `Ada likes ${id}.` }));
  await expect(ada.commitMany(list, options)).rejects.toBe(reason);
  const outcomes = async (): Promise<string[]> =>
    (await ada.history({ ids: ["a", "b", "c", "d", "e", "f"] })).map(({ id }) => id);
  expect(await outcomes()).toEqual(["a", "b"]);
  const again = new AbortController();
  const lines = ["d", "e", "f"].map((id) => JSON.stringify({ id, summary: `Ada likes ${id}.` }));
  const importing = ada.import(lines, {
    signal: again.signal,
    onProgress: (doneCount) => void (doneCount === 1 && again.abort(reason)),
  });
  await expect(importing).rejects.toBe(reason);
  expect(await outcomes()).toEqual(["a", "b", "d"]);
  expect(listenersOf(controller.signal) + listenersOf(again.signal)).toBe(0);
  await ada.settled();
  expect(await ada.list()).toHaveLength(9);
});

it("refining ends while the model is asked, which is told to stop and not blamed", async () => {
  watchRejections();
  const languageModel = new SilentModel();
  const mnemosyne = await openMemories({
    path: ":memory:",
    languageModel,
    parameters: { modelTimeBudgetSeconds: 1 },
  });
  const ada = mnemosyne.person("ada");
  const lines: string[] = [];
  const plain = (await openMemories({ path: ":memory:" })).person("ada");
  for (let position = 0; position < 3; position++) await plain.commit(interactionAt(position));
  await plain.settled();
  for await (const line of plain.export()) lines.push(line);
  await ada.import(lines);
  const before = await ada.list();
  const controller = new AbortController();
  const refining = ada.refine({ signal: controller.signal });
  await languageModel.asked;
  controller.abort(reason);
  await expect(refining).rejects.toBe(reason);
  expect(languageModel.requests.map(({ signal }) => signal!.reason as unknown)).toEqual([reason]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(listenersOf(controller.signal)).toBe(0);
  expect(await ada.list()).toEqual(before);
  expect((await mnemosyne.describe()).languageModel!.counts["without model"]).toBe(0);
});

it("a listener hears until its signal", async () => {
  const { ada } = await openGated();
  const controller = new AbortController();
  const heard: string[] = [];
  const { signal } = controller;
  ada.on("committed", ({ id }) => void heard.push(`signal ${id}`), { signal });
  ada.on("committed", () => void heard.push("never"), { signal: AbortSignal.abort() });
  await ada.commit({ id: "a", summary: "Ada rows." }, { wait: true });
  expect(listenersOf(signal)).toBe(1);
  await ada.commit({ id: "b", summary: "Ada has a parrot." }, { wait: true });
  controller.abort();
  await ada.commit({ id: "c", summary: "Ada sings in a choir." }, { wait: true });
  expect(heard).toEqual(["signal a", "signal b"]);
  expect(listenersOf(signal)).toBe(0);
  const { signal: unused } = new AbortController();
  const ends = [1, 2].map(() => ada.on("committed", () => {}, { signal: unused }));
  expect(listenersOf(unused)).toBe(1);
  for (const end of [...ends, ...ends]) end();
  expect(listenersOf(unused)).toBe(0);
});
