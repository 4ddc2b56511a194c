/** A profile's examples: embedded once, kept in the store by embedder and texts, tried again after a failure. */
import { expect, it } from "vitest";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { ProfileExamples } from "../../src/reader/profile-examples.js";
import { substanceTexts } from "../../src/reader/substance.js";
import { EmbeddingQueue } from "../../src/engine/embedding-queue.js";
import { general } from "../../src/profiles/general.js";
import type { Profile } from "../../src/profiles/profile.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { NotingEmbedder } from "../engine/noting-embedder.js";
import { recordsOf } from "../engine/records/opened-records.js";

async function examplesOver(
  store: MemoryStore,
  embedder: HashingEmbedder,
  profile: Profile = general,
): Promise<ProfileExamples> {
  const records = await recordsOf(store);
  return new ProfileExamples(profile, { embedding: new EmbeddingQueue(embedder), records, log: () => {} });
}

it("are embedded once in a process, and not at all in the next one over the same store", async () => {
  const store = new MemoryStore();
  const first = new NotingEmbedder();
  const examples = await examplesOver(store, first);
  const loaded = await examples.load();
  expect(await examples.load()).toBe(loaded);
  expect(first.texts.toSorted()).toEqual([...new Set(substanceTexts(general))].toSorted());
  const next = new NotingEmbedder();
  expect(await (await examplesOver(store, next)).load()).toEqual(loaded);
  expect(next.texts).toEqual([]);
  expect(loaded.categories.map(({ vectors }) => vectors.length)).toEqual(
    general.categories.map(({ examples: texts }) => texts.length),
  );
  expect(loaded.mundane).toHaveLength(general.mundane.length);
});

it("that could not be embedded are tried again the next time", async () => {
  let isFailing = true;
  class FailingEmbedder extends HashingEmbedder {
    override async embed(texts: readonly string[]): Promise<Float32Array[]> {
      if (isFailing) throw new Error("out of order");
      return super.embed(texts);
    }
  }
  const examples = await examplesOver(new MemoryStore(), new FailingEmbedder());
  await expect(examples.load()).rejects.toMatchObject({ code: "embedder_failed" });
  // Texts that were sent in the same call have failed by then, too.
  await new Promise((resolve) => setImmediate(resolve));
  isFailing = false;
  expect((await examples.load()).mundane.length).toBeGreaterThan(0);
});
