/** Corrections, and interactions that say what they update. */
import type { PersonMemory } from "mnemosyne-edge";
import { beforeEach, describe, expect, it } from "vitest";
import { openMemories } from "../durability/opened-memories.js";
import { FakeReader, read } from "./fake-reader.js";

let ada: PersonMemory;
beforeEach(async () => {
  ada = (await openMemories({ path: ":memory:", reader: new FakeReader(), parameters: read })).person("ada");
  await ada.commit({ id: "leeds", text: "Ada lives in Leeds." }, { wait: true });
});

async function holding(): Promise<string[]> {
  return (await ada.list({ outdated: false })).map(({ id }) => id);
}

describe("updates", () => {
  it.each(["nobody", ["leeds", "nobody"]])("of %j are refused, and nothing is stored", async (updates) => {
    await expect(ada.commit({ id: "york", summary: "Ada lives in York.", updates })).rejects.toMatchObject({
      code: "unknown_id",
      message: '"ada" has no interaction "nobody" to update',
    });
    expect(await ada.history({ ids: ["york"] })).toEqual([]);
  });

  it("of what is not earlier are refused, and nothing is stored", async () => {
    const [leeds] = await ada.history();
    for (const at of [leeds!.at, "2025-01-01"]) {
      await expect(
        ada.commit({ id: "york", at, summary: "Ada lives in York.", updates: "leeds" }),
      ).rejects.toMatchObject({
        code: "id_invalid",
        message: `updates names "leeds", which is from ${leeds!.at}; name interactions that are earlier than \`at\``,
      });
    }
    expect(await ada.history()).toHaveLength(1);
  });

  it("of one half of a pair make both outdated", async () => {
    await ada.commit({ id: "again", text: "Ada lives in Leeds." }, { wait: true });
    expect((await ada.get("again")).pairId).toBe("leeds");
    const york = await ada.commit({ id: "york", text: "Ada moved to York.", updates: "again" }, { wait: true });
    expect(york.updates).toEqual(["again", "leeds"]);
    expect(await holding()).toEqual(["york"]);
  });
});

describe("correct", () => {
  it("keeps what is said now, whatever it is, and makes the other one outdated", async () => {
    const corrected = await ada.correct("leeds", "Hello, it is York.", { id: "york", state: "moving" });
    expect(corrected).toEqual({
      id: "york",
      isNew: true,
      outcome: "committed",
      reason: "kept as you asked, updates leeds",
      probability: 0.02,
      repeats: null,
      updates: ["leeds"],
      ended: ["leeds"],
      forgetAsked: [],
    });
    expect(await ada.get("york")).toMatchObject({
      turns: [{ who: "user", text: "Hello, it is York." }],
      state: "moving",
      updates: ["leeds"],
    });
    expect(await holding()).toEqual(["york"]);
    expect(await ada.check()).toEqual([]);
  });

  it.each([
    [["nobody", "York."], "unknown_id"],
    [["", "York."], "id_invalid"],
    [[undefined, "York."], "id_invalid"],
    [["leeds", " "], "interaction_empty"],
    [["leeds", undefined], "interaction_invalid"],
    [["leeds", "York.", { keep: false }], "option_invalid"],
    [["leeds", "York.", null], "option_invalid"],
    [["leeds", "York.", { at: "2020-01-01" }], "id_invalid"],
    [["leeds", "York.", { id: "leeds" }], "id_invalid"],
  ])("refuses %j with %s, and nothing is stored", async (given, code) => {
    await expect(ada.correct(...(given as [string, string]))).rejects.toMatchObject({ code });
    expect(await ada.history()).toHaveLength(1);
  });
});

describe("unlink", () => {
  beforeEach(() => ada.commit({ id: "york", text: "Ada lives in York.", updates: "leeds" }, { wait: true }));

  it("takes a link back: both hold, also in an export", async () => {
    expect(await holding()).toEqual(["york"]);
    await ada.unlink("york", "leeds");
    expect(await holding()).toEqual(["leeds", "york"]);
    const [york] = await ada.history({ ids: ["york"] });
    expect(york).toMatchObject({ updates: [] });
    const lines: string[] = [];
    for await (const line of ada.export()) lines.push(line);
    expect(lines.join("\n")).not.toContain('"updates":["leeds"]');
  });

  it("refuses what is not linked or not known", async () => {
    await expect(ada.unlink("leeds", "york")).rejects.toMatchObject({ code: "id_invalid" });
    await expect(ada.unlink("nobody", "leeds")).rejects.toMatchObject({ code: "unknown_id" });
    await ada.unlink("york", "leeds");
    await expect(ada.unlink("york", "leeds")).rejects.toMatchObject({ code: "id_invalid" });
  });
});
