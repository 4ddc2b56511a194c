/** Interactions that are submitted again under an id that is known. */
import { type InteractionInput, type PersonMemory } from "mnemosyne-edge";
import { beforeEach, describe, expect, it } from "vitest";
import { exportLines } from "../durability/export-lines.js";
import { openMemories } from "../durability/opened-memories.js";
import { ScratchFolder } from "../durability/scratch-folder.js";

const scratch = new ScratchFolder();
const home = {
  id: "home",
  at: "2025-03-01T10:00:00Z",
  turns: [{ who: "user", text: "I live in Leeds." }],
  summary: "Ada lives in qleeds.",
  state: "well",
  metadata: { agent: "a", tags: ["x"] },
  expiresAt: "2030-01-01T00:00:00Z",
} satisfies InteractionInput;

describe.each([
  ["memory", () => ":memory:"],
  ["SQLite", () => scratch.next()],
])("in a store in %s, a known id", (_name, path) => {
  let ada: PersonMemory;
  beforeEach(async () => {
    ada = (await openMemories({ path: path() })).person("ada");
    await ada.commit(home, { wait: true });
  });

  it.each([
    [home],
    [{ id: "home", turns: home.turns }],
    [{ id: "home", summary: home.summary }],
    [{ id: "home", summary: home.summary, at: "2025-03-01T10:00:00.000+00:00", keep: true }],
    [{ id: "home", summary: home.summary, metadata: { tags: ["x"], agent: "a" } }],
  ])("with the same content is known: %j", async (input) => {
    expect(await ada.commit(input)).toEqual({ id: "home", isNew: false });
    expect(await ada.commit(input, { wait: true })).toMatchObject({ isNew: false, outcome: "committed" });
  });

  it.each([
    [{ summary: "Ada lives in qyork." }, "summary"],
    [{ turns: [{ who: "user", text: "I live in qyork." }] }, "turns"],
    [{ turns: [{ who: "assistant", text: "I live in Leeds." }] }, "turns"],
    [{ at: "2025-03-02" }, "at"],
    [{ state: "ill" }, "state"],
    [{ metadata: {} }, "metadata"],
    [{ metadata: { agent: "a", tags: ["y"] }, expiresAt: "2031-01-01" }, "metadata, expiresAt"],
  ])("with other content is refused, by the names of what differs: %j", async (change, names) => {
    const before = await exportLines(ada);
    const refused = ada.commit({ id: "home", summary: home.summary, ...change });
    await expect(refused).rejects.toMatchObject({
      family: "input",
      code: "id_taken",
      message: `"home" is known with other content (${names}); change the stored one (\`update\`; PATCH over REST), or choose another id`,
    });
    await expect(refused).rejects.not.toThrow(/qleeds|qyork/u);
    expect(await exportLines(ada)).toEqual(before);
  });

  it("of a conversation continues it, or is refused", async () => {
    await (await ada.conversation({ id: "talk" })).add({ who: "user", text: "One." });
    await expect(ada.commit({ id: "talk", turns: [{ who: "user", text: "Two." }] })).rejects.toMatchObject({
      code: "id_taken",
      message: expect.stringContaining("conversation in progress") as string,
    });
    const turns = ["One.", "Two."].map((text) => ({ who: "user", text }));
    expect(await ada.commit({ id: "talk", turns })).toEqual({ id: "talk", isNew: true });
  });

  it("in an import is counted and named, and changes nothing", async () => {
    const lines = [
      JSON.stringify({ id: "home", summary: home.summary }),
      JSON.stringify({ id: "home", summary: "Ada lives in qyork." }),
      JSON.stringify({ id: "new", summary: "Ada rows." }),
      JSON.stringify({ id: "new", summary: "Ada swims." }),
    ];
    expect(await ada.import(lines)).toEqual({
      mode: "committed",
      acceptedCount: 1,
      knownCount: 3,
      differentCount: 2,
      differentIds: ["home", "new"],
    });
    expect((await ada.get("home")).summary).toBe(home.summary);
  });
});
