/** Many interactions in one call: a list whole or not at all, a stream one by one. */
import type { CommitInput, Mnemosyne, PersonMemory } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { interactionAt } from "../durability/laboratory.mjs";
import { openMemories } from "../durability/opened-memories.js";

const open = (): Promise<Mnemosyne> => openMemories({ path: ":memory:" });
const inputs: readonly CommitInput[] = [
  "I moved to Lisbon.",
  [{ role: "user", content: "I row." }],
  { id: "parrot", messages: [{ role: "user", content: "I have a parrot." }], at: "2025-11-01" },
  { id: "leeds", summary: "Ada lived in Leeds." },
];

async function* stream(items: readonly unknown[]): AsyncGenerator<CommitInput> {
  for (const item of items) {
    await new Promise((resolve) => setImmediate(resolve));
    yield item as CommitInput;
  }
}

async function idsOf(memory: PersonMemory): Promise<string[]> {
  return (await memory.history().catch(() => [])).map(({ id }) => id);
}

describe("commitMany", () => {
  it.each<[string, () => Iterable<CommitInput> | AsyncIterable<CommitInput>, number | null]>([
    ["a list", () => [...inputs], 4],
    ["an iterable", () => new Set(inputs), null],
    ["a stream", () => stream(inputs), null],
  ])("takes %s of whatever commit takes", async (_, source, total) => {
    const ada = (await open()).person("ada");
    await ada.commit({ id: "leeds", summary: "Ada lived in Leeds." });
    const progress: unknown[] = [];
    const result = await ada.commitMany(source(), { onProgress: (...told) => progress.push(told) });
    expect(result).toMatchObject({ acceptedCount: 3, knownCount: 1 });
    expect(result.ids).toHaveLength(4);
    expect(await idsOf(ada)).toEqual(["leeds", ...result.ids.slice(0, 3)]);
    expect(progress).toEqual([1, 2, 3, 4].map((count) => [count, total]));
    const [, lisbon, , parrot] = await ada.history();
    expect(lisbon).toMatchObject({ turns: [{ who: "user", text: "I moved to Lisbon." }] });
    expect(parrot).toMatchObject({ id: "parrot", at: "2025-11-01T00:00:00.000Z" });
    await ada.settled();
    expect(await ada.list()).toHaveLength(4);
  });

  it.each<[string, unknown, string, RegExp]>([
    [
      "a wrong field",
      { summary: "x", sumary: "x" },
      "interaction_invalid",
      /^item 3: the fields of an interaction have/u,
    ],
    [
      "a message by itself",
      { role: "user", content: "x" },
      "interaction_invalid",
      /^item 3: .* have no "role"; there are: id, /u,
    ],
    ["nothing said", { summary: " " }, "interaction_empty", /^item 3: commit needs turns or a summary/u],
    ["a wrong id", { summary: "x", id: "" }, "id_invalid", /^item 3: id is a text of 0 characters/u],
    ["a time to come", { summary: "x", at: "2999-01-01" }, "time_in_future", /^item 3: /u],
    ["an update of nobody", { summary: "x", updates: "nobody" }, "unknown_id", /^item 3: "ada" has no interaction "n/u],
    ["an update of a later one", { summary: "x", updates: "last" }, "unknown_id", /^item 3: /u],
    [
      "an update that is not later",
      { summary: "x", at: "2025-10-01", updates: "first" },
      "id_invalid",
      /^item 3: updates names "first"/u,
    ],
  ])("stores nothing of a list with %s, and of a stream what came before", async (_, wrong, code, message) => {
    const mnemosyne = await open();
    const list = [
      { id: "first", summary: "One." },
      { id: "second", summary: "Two." },
      wrong,
      { id: "last", summary: "L." },
    ];
    const [ada, bea] = [mnemosyne.person("ada"), mnemosyne.person("bea")];
    const listed = ada.commitMany(list as CommitInput[]);
    await expect(listed).rejects.toThrow(expect.objectContaining({ code }));
    await expect(listed).rejects.toThrow(message);
    expect(await mnemosyne.persons()).toEqual([]);
    await expect(bea.commitMany(stream(list))).rejects.toThrow(/^item 3: /u);
    expect(await idsOf(bea)).toEqual(["first", "second"]);
  });

  it("does what committing one by one does", async () => {
    const mnemosyne = await open();
    const [ada, bea] = [mnemosyne.person("ada"), mnemosyne.person("bea")];
    const journey = Array.from({ length: 12 }, (_, position) => interactionAt(position));
    for (const input of journey) await ada.commit(input);
    await bea.commitMany(journey);
    await mnemosyne.settled();
    expect(await bea.list()).toEqual(await ada.list());
  });

  it("ends a stream that fails with its error, and one that holds something wrong", async () => {
    const ada = (await open()).person("ada");
    let isOver = false;
    async function* failing(): AsyncGenerator<CommitInput> {
      try {
        yield "I row.";
        yield 5 as unknown as string;
      } finally {
        isOver = true;
      }
    }
    await expect(ada.commitMany(failing())).rejects.toThrow(/^item 2: /u);
    expect(isOver).toBe(true);
    async function* broken(): AsyncGenerator<CommitInput> {
      yield "I sing.";
      throw new Error("the line is dead");
    }
    await expect(ada.commitMany(broken())).rejects.toThrow("the line is dead");
    expect(await idsOf(ada)).toHaveLength(2);
  });
});
