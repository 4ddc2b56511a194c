/** The judge as an option: what is refused and how, and what a memory says of its judge. */
import { Mnemosyne, type MnemosyneOptions } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { FakeJudge } from "./fake-judge.js";

function open(options: object): Promise<Mnemosyne> {
  return Mnemosyne.open({ path: ":memory:", embedder: new HashingEmbedder(), ...options } as MnemosyneOptions);
}

describe("a near miss is refused with what it should be:", () => {
  const { substance, relation, relevance } = FakeJudge.prototype;
  it.each([
    [{ jugde: false }, /^the options have no "jugde"; there are: .*\bjudge\b/u],
    [
      { judge: true },
      /^judge is true; it must be false, or an object with name, substance, relation, relevance and close/u,
    ],
    [{ judge: null }, /^judge is null; it must be false, or /u],
    [{ judge: "bundled" }, /^judge is a text of 7 characters; it must be false, or /u],
    [
      { judge: { name: "mine", substance, relation, close: () => {} } },
      /^judge needs a function `relevance`; it is an object/u,
    ],
    [
      { judge: { substance, relation, relevance, close: () => {} } },
      /^judge needs a name, which traces show; its name is undefined/u,
    ],
  ])("%o", async (options, message) => {
    await expect(open(options)).rejects.toMatchObject({
      code: "option_invalid",
      message: expect.stringMatching(message) as string,
    });
  });
});

describe("a memory describes its judge", () => {
  it("by name and by what runs it", async () => {
    const mnemosyne = await openMemories({ path: ":memory:", judge: new FakeJudge() });
    expect((await mnemosyne.describe()).judge).toEqual({ name: "fake", runtime: "nothing at all" });
  });

  it("as null where nobody judges", async () => {
    for (const options of [{ judge: false }, { preset: "paper" }] as const) {
      const mnemosyne = await openMemories({ path: ":memory:", ...options });
      expect((await mnemosyne.describe()).judge).toBeNull();
    }
  });
});

it("closing a memory closes its judge", async () => {
  const judge = new FakeJudge();
  await (await open({ judge })).close();
  expect(judge.isClosed).toBe(true);
});
