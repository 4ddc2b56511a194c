/** How many interactions wait is in the metrics, whoever they are of. */
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { expect, it } from "vitest";
import { HashingEmbedder } from "../../../memory/test/durability/hashing-embedder.mjs";
import { Servers } from "./serving.js";

const servers = new Servers();

/** Holds up everything but what is let through. */
class SlowEmbedder extends HashingEmbedder {
  release: () => void = () => {};
  readonly #released = new Promise<void>((resolve) => (this.release = resolve));

  override async embed(texts: readonly string[]): ReturnType<HashingEmbedder["embed"]> {
    if (texts.some((text) => text.includes("kayak"))) await this.#released;
    return super.embed(texts);
  }
}

const read = async (url: string): Promise<string | undefined> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return /^mnemosyne_queued_interactions (\S+)$/mu.exec(text)?.[1];
};

it("the length of the queue is that of everybody, and 0 when all is done", async () => {
  const embedder = new SlowEmbedder();
  const { url, mnemosyne } = await servers.start({ memory: { embedder } });
  expect(await read(url)).toBe("0");
  for (const [person, count] of [
    ["ada", 3],
    ["bob", 2],
  ] as const) {
    for (let i = 0; i < count; i++) await mnemosyne.person(person).commit(`I own kayak ${i}.`);
  }
  expect(await read(url)).toBe("5");
  expect(await mnemosyne.queuedCount()).toBe(5);
  embedder.release();
  await mnemosyne.settled();
  expect(await read(url)).toBe("0");
});

it("a store that does not answer does not keep the other metrics back", async () => {
  class Broken extends MemoryStore {
    isBroken = false;
    override async due(...asked: Parameters<MemoryStore["due"]>): ReturnType<MemoryStore["due"]> {
      if (this.isBroken) throw new Error("no answer");
      return super.due(...asked);
    }
  }
  const store = new Broken();
  const { url } = await servers.start({ memory: { store } });
  store.isBroken = true;
  expect(await read(url)).toBe("Nan");
});
