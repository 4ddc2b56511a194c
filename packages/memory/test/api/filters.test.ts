/** Filters and times through the public door: what does not pass, or has expired, does not exist to a recall. */
import { Mnemosyne, type PersonMemory } from "mnemosyne-edge";
import { describe, expect, it, onTestFinished } from "vitest";
import { updatesOf } from "../../src/graph/memory-node.js";
import { parseLines } from "../durability/export-lines.js";
import { laboratory, nowMs } from "../durability/laboratory.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { allergy, at, graz, ines, openLife, vienna } from "../core/lives.js";

const work = { filter: { space: "work" } };

async function tellIn(
  person: PersonMemory,
  space: string,
  id: string,
  text: string,
  day: number,
  updates: string[] = [],
): Promise<void> {
  const told = { id, turns: [{ who: "user", text }], at: at(day), metadata: { space }, updates };
  await person.commit(told, { wait: true });
}

function idsOf(items: readonly { readonly id: string }[]): string[] {
  return items.map(({ id }) => id).sort();
}

async function linesOf(lines: AsyncIterable<string>): Promise<Record<string, unknown>[]> {
  const parsed: Record<string, unknown>[] = [];
  for await (const line of lines) parsed.push(JSON.parse(line) as Record<string, unknown>);
  return parsed;
}

/** Somebody whose home is told in private, then at work, then in private again. */
async function openHome(): Promise<PersonMemory> {
  const ada = await openLife();
  await tellIn(ada, "private", "graz", graz, 1);
  await tellIn(ada, "work", "vienna", vienna, 2, ["graz"]);
  await tellIn(ada, "private", "linz", "I live in a flat in Linz now.", 3, ["vienna"]);
  return ada;
}

describe("a recall with a filter", () => {
  it("says nothing of the core summary but the facts that pass", async () => {
    const ada = await openLife();
    await tellIn(ada, "work", "allergy", allergy, 1);
    await tellIn(ada, "private", "ines", ines, 2);
    expect((await ada.coreSummary()).text).toContain("Ines");
    const all = await ada.recall("I live in a flat, where?", { minScore: 100 });
    expect(all.context).toContain("Ines");
    const { context, trace } = await ada.recall("I live in a flat, where?", { ...work, minScore: 100 });
    expect(context).toContain("penicillin");
    expect(context).not.toContain("Ines");
    expect(trace.context.coreSummary).toBe("included");
    const none = await ada.recall("I live in a flat, where?", { filter: { space: "club" } });
    expect(none.context).not.toMatch(/Ines|penicillin/u);
    expect(none.memories).toEqual([]);
    expect(none.trace.context.coreSummary).toBe("left out by the filter");
    expect(none.trace.filter).toEqual({ passedCount: 0, memoryCount: 2 });
    expect(all.trace.filter).toBeNull();
  });

  it("has a core summary without facts only if all that it was written from passes", async () => {
    const parameters = { coreSummaryIntervalCommits: 1 };
    const ada = (await openMemories({ path: ":memory:", parameters })).person("ada");
    await tellIn(ada, "work", "allergy", allergy, 1);
    await tellIn(ada, "private", "ines", ines, 2);
    await ada.coreSummary({ update: true });
    const ask = async (filter: Record<string, string | { exists: boolean }>): Promise<string> =>
      (await ada.recall("What?", { filter, limit: 0 })).trace.context.coreSummary;
    expect(await ask({ space: "work" })).toBe("left out by the filter");
    expect(await ask({ space: { exists: true } })).toBe("included");
  });

  it("sees what holds among the memories that pass, as if the others were forgotten", async () => {
    const ada = await openHome();
    const whole = await ada.recall("I live in a flat, where?");
    expect(whole.memories.find(({ id }) => id === "graz")!.outdated).toEqual({ since: at(2), by: ["vienna"] });
    const atWork = await ada.recall("I live in a flat, where?", work);
    expect(atWork.memories).toMatchObject([{ id: "vienna", outdated: null, metadata: { space: "work" } }]);
    expect(atWork.context).not.toMatch(/Graz|Linz|until/u);
    // The one in between is not seen, but what it connects is still connected.
    const inPrivate = await ada.recall("I live in a flat, where?", { filter: { space: "private" } });
    expect(inPrivate.memories.find(({ id }) => id === "graz")!.outdated).toEqual({ since: at(3), by: ["linz"] });
    expect(inPrivate.context).not.toContain("Vienna");
  });

  it("sees the memories from a time up to another, not including it", async () => {
    const ada = await openHome();
    const ask = async (from?: string, to?: string): Promise<string[]> => {
      const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
      const { memories, trace } = await ada.recall("I live in a flat, where?", { ...range, seed: 1 });
      expect(trace.filter).toEqual({ passedCount: memories.length, memoryCount: 3 });
      expect(idsOf(await ada.list(range))).toEqual(idsOf(memories));
      expect(idsOf(await ada.history(range))).toEqual(idsOf(memories));
      return idsOf(memories);
    };
    expect(await ask(at(2))).toEqual(["linz", "vienna"]);
    expect(await ask(undefined, at(2))).toEqual(["graz"]);
    expect(await ask(at(1), at(3))).toEqual(["graz", "vienna"]);
    await expect(ada.recall("Where?", { from: at(2), to: at(2) })).rejects.toMatchObject({ code: "time_invalid" });
    await expect(ada.list({ from: "soon" })).rejects.toMatchObject({ code: "time_invalid" });
  });

  it("does not name the other half of a pair that does not pass", async () => {
    const ada = await openLife({ parameters: { redundancyThreshold: 0 } });
    await tellIn(ada, "work", "first", "The roses in my garden bloom.", 1);
    await tellIn(ada, "private", "second", "The roses in my garden bloom.", 9);
    const [paired] = (await ada.recall("roses")).memories;
    expect(paired!.pairId).not.toBeNull();
    const { memories } = await ada.recall("roses", work);
    expect(memories.map(({ id, pairId }) => ({ id, pairId }))).toEqual([{ id: "first", pairId: null }]);
  });

  it.each([{ filter: { n: {} } }, { filters: {} }])("that cannot be read is refused: %j", async (options) => {
    const ada = await openHome();
    for (const refused of [
      () => ada.recall("Where?", options),
      () => ada.list(options),
      () => ada.history(options),
      () => ada.graph(options),
      () => ada.forget(options),
      () => linesOf(ada.export(options)),
    ]) {
      await expect(refused()).rejects.toMatchObject({ family: "input" });
    }
  });
});

it("what has expired is seen by no recall, no list and no context, from the very moment on", async () => {
  let now = nowMs;
  const memories = await Mnemosyne.open(laboratory({ path: ":memory:", clock: { nowMs: () => now } }));
  onTestFinished(() => memories.close());
  const ada = memories.person("ada");
  const expiresAt = nowMs + 1_000;
  await ada.commit({ id: "code", summary: "The door code is 4711.", expiresAt }, { wait: true });
  await ada.commit({ id: "door", summary: "The door is green." }, { wait: true });
  await ada.coreSummary({ update: true });
  const see = async (): Promise<unknown> => {
    const { memories: found, context, trace } = await ada.recall("door", { at: nowMs });
    expect(idsOf((await ada.graph()).memories)).toEqual(idsOf(await ada.list()));
    expect(context.includes("4711")).toBe(found.some(({ id }) => id === "code"));
    return [idsOf(found), idsOf(await ada.list()), trace.memoryCount, trace.filter];
  };
  now = expiresAt - 1;
  expect(await see()).toEqual([["code", "door"], ["code", "door"], 2, null]);
  now = expiresAt;
  expect(await see()).toEqual([["door"], ["door"], 1, null]);
});

describe("forget with a filter", () => {
  it("forgets what passes, whatever became of it, and says so", async () => {
    const ada = await openHome();
    const receipt = await ada.forget({ filter: { space: "private" }, from: at(2) });
    expect(receipt).toMatchObject({ forgotten: ["linz"], removed: { interactions: 1, memories: 1 } });
    expect(idsOf(await ada.history())).toEqual(["graz", "vienna"]);
    expect((await ada.forget({ filter: { space: "nowhere" } })).forgotten).toEqual([]);
    expect((await ada.forget({ to: at(2) })).forgotten).toEqual(["graz"]);
    expect((await ada.forget(work)).forgotten).toEqual(["vienna"]);
    await expect(ada.history()).rejects.toMatchObject({ code: "unknown_person" });
  });

  it.each([{}, { filter: {} }, { filter: { or: [{ n: { nin: [] } }] } }])("refuses %j", async (everything) => {
    const ada = await openHome();
    await expect(ada.forget(everything)).rejects.toMatchObject({
      code: "option_invalid",
      message: expect.stringContaining("forgetAll removes everything") as string,
    });
    expect(await ada.history()).toHaveLength(3);
  });
});

it("an export with a filter holds what passes and names nothing else", async () => {
  const ada = await openHome();
  const lines = await linesOf(ada.export({ filter: { space: "private" } }));
  const parsed = parseLines(lines.map((line) => JSON.stringify(line)));
  expect(JSON.stringify([lines, parsed])).not.toMatch(/vienna/iu);
  const memories = parsed.nodes.map(({ node }) => [node.id, updatesOf(node)]);
  expect(memories).toEqual([
    ["graz", []],
    ["linz", ["graz"]],
  ]);
  expect(parsed).toMatchObject({ coreSummary: null, commitsSinceCoreSummary: 1_000 });
  const bea = (await openMemories({ path: ":memory:" })).person("bea");
  expect(await bea.import(lines.map((line) => JSON.stringify(line)))).toMatchObject({ acceptedCount: 2 });
  expect(await bea.check()).toEqual([]);
});
