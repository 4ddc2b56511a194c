/** `update` with `ifTag`: whoever edits on top of what somebody else has changed is refused. */
import { expect, test } from "vitest";
import { Mnemosyne } from "../../src/index.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";

async function openAda() {
  const mnemosyne = await Mnemosyne.open({ path: ":memory:", embedder: new HashingEmbedder(), reader: false });
  const ada = mnemosyne.person("ada");
  const { id } = await ada.commit({ summary: "Ada rows on Sundays.", keep: true }, { wait: true });
  return { mnemosyne, ada, id };
}

test("a tag that is still true lets the update pass, and is another one afterwards", async () => {
  const { mnemosyne, ada, id } = await openAda();
  const { tag } = await ada.get(id);
  await ada.update(id, { text: "Ada rows on Mondays." }, { ifTag: ["no-such-tag", tag] });
  expect((await ada.get(id)).tag).not.toBe(tag);
  await mnemosyne.close();
});

test("an update on top of somebody else's is refused and changes nothing, also if the words are the old ones again", async () => {
  const { mnemosyne, ada, id } = await openAda();
  const { tag } = await ada.get(id);
  await ada.update(id, { summary: "Ada rows on Mondays." });
  await ada.update(id, { summary: "Ada rows on Sundays." });
  await expect(ada.update(id, { summary: "Ada swims." }, { ifTag: tag })).rejects.toMatchObject({
    code: "edit_conflict",
  });
  expect((await ada.get(id)).summary).toBe("Ada rows on Sundays.");
  await mnemosyne.close();
});

test("of ten updates at once on the same tag, one passes", async () => {
  const { mnemosyne, ada, id } = await openAda();
  const { tag } = await ada.get(id);
  const edits = Array.from({ length: 10 }, (_, i) =>
    ada.update(id, { summary: `Ada rows ${i} times.` }, { ifTag: tag }),
  );
  const results = await Promise.allSettled(edits);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await mnemosyne.close();
});

test("a change of metadata or expiry is another tag, and a tag that is no text is refused", async () => {
  const { mnemosyne, ada, id } = await openAda();
  const tags = new Set([(await ada.get(id)).tag]);
  await ada.update(id, { metadata: { agent: "office" } });
  tags.add((await ada.get(id)).tag);
  await ada.update(id, { expiresAt: Date.now() + 86_400_000 });
  tags.add((await ada.get(id)).tag);
  expect(tags.size).toBe(3);
  await expect(ada.update(id, { text: "x" }, { ifTag: 7 as unknown as string })).rejects.toMatchObject({
    code: "option_invalid",
  });
  await mnemosyne.close();
});
