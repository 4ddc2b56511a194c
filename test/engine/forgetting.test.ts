/** Forgetting in this process: what was made of a forgotten text is gone from memory too, not from the store alone. */
import { describe, expect, it } from "vitest";
import type { PersonMemory } from "mnemosyne-edge";
import { openMemories } from "../durability/opened-memories.js";
import { NotingEmbedder } from "./noting-embedder.js";

const secret = "Ada keeps the spare key under the blue flowerpot.";

async function rememberSecret(): Promise<{ person: PersonMemory; embedder: NotingEmbedder }> {
  const embedder = new NotingEmbedder();
  const person = (await openMemories({ path: ":memory:", embedder })).person("ada");
  await person.commit({ id: "key", summary: secret, at: "2025-05-01" });
  await person.commit({ id: "knee", summary: "The knee bends to ninety degrees.", at: "2025-05-02" });
  await person.settled();
  return { person, embedder };
}

/** Whether a vector of the secret is at hand: asked in its own words, it is not embedded again. */
async function holdsItsVector(person: PersonMemory, embedder: NotingEmbedder): Promise<boolean> {
  return !(await embedder.during(() => person.recall(secret, { seed: 1 }))).includes(secret);
}

describe("the vector of a forgotten text", () => {
  it("is at hand while it is a memory, and gone with it", async () => {
    const { person, embedder } = await rememberSecret();
    expect(await holdsItsVector(person, embedder)).toBe(true);
    await person.forget("key");
    expect(await holdsItsVector(person, embedder)).toBe(false);
  });

  it("is gone when everything about the person is forgotten", async () => {
    const { person, embedder } = await rememberSecret();
    await person.forgetAll();
    expect(await holdsItsVector(person, embedder)).toBe(false);
  });

  it("stays when nothing was forgotten", async () => {
    const { person, embedder } = await rememberSecret();
    await expect(person.forget("nobody")).rejects.toMatchObject({ code: "unknown_id" });
    expect(await holdsItsVector(person, embedder)).toBe(true);
  });
});
