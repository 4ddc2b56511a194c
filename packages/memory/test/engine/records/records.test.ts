/** Queue, history and expiry as records, plain and sealed: all that the engine asks of them. */
import type { AcceptedEntry, Batch, HistoryEntry, HistorySelection, Interaction, Outcome } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { beforeEach, describe, expect, it } from "vitest";
import { MemoryGraph } from "../../../src/graph/memory-graph.js";
import { type GraphChange, noChange } from "../../../src/graph/memory-node.js";
import { Records } from "../../../src/engine/records/records.js";
import { Codec } from "../../../src/stores/codec.js";
import { binCount, dimensions, edgeBetween, embed, endOf, markOf } from "../../graph/graph-fixtures.js";
import { bareInteraction } from "../bare-interaction.js";

const codecs = { plain: new Codec(), sealed: new Codec("correct horse battery staple") };

function interaction(id: string, parts: Partial<Interaction> = {}): Interaction {
  return { ...bareInteraction, id, summary: `summary of ${id}`, ...parts };
}

const turn = (text: string): { who: string; text: string } => ({ who: "user", text });

function withoutCursors(entries: readonly HistoryEntry[]): AcceptedEntry[] {
  return entries.map(({ cursor: _, ...entry }) => entry);
}

describe.each(Object.entries(codecs))("records, %s", (_name, codec) => {
  let records: Records;
  beforeEach(async () => (records = await Records.open(new MemoryStore(), codec)));

  async function revisionOf(person = "ada"): Promise<number> {
    return (await records.readGraph(person, 0)).revision;
  }

  /** On a graph that has nothing: enough for what is not about memories. */
  async function apply(parts: Partial<Batch>, baseRevision?: number): Promise<number> {
    const base = baseRevision ?? (await revisionOf());
    const batch = { change: noChange, outcomes: [], forgetInteractions: [], ...parts, baseRevision: base };
    return records.apply("ada", batch, new MemoryGraph(dimensions, binCount), new Map());
  }

  async function queue(...ids: readonly string[]): Promise<void> {
    for (const id of ids) expect(await records.accept("ada", interaction(id), "queued")).toBe(true);
  }

  async function idsOf(selection: HistorySelection): Promise<string[]> {
    return (await records.history("ada", selection)).map((entry) => entry.interaction.id);
  }

  async function queuedIds(): Promise<string[]> {
    return (await records.queued("ada", 99)).map(({ id }) => id);
  }

  it("an interaction comes back exactly as it was submitted", async () => {
    const awkward = interaction("äöü 漢字 🧠 'quoted' \"double\"", {
      initMs: 1_736_327_700_123.5,
      turns: [
        { who: "user", text: 'line one\nline two\ttab \\ back "slash" 😀' },
        { who: "Dr. Ünal", text: "" },
      ],
      summary: "résumé\n",
      state: "early\nrecovery",
      restored: true,
      metadata: { agent: "naïve \u{1f9e0}\n\u007f", tags: ["", "ü"], 7: false, n: -0.5 },
      expiresMs: 1.5,
      versions: [{ replacedMs: 3, initMs: 1, turns: [turn("\n")], summary: null, state: null, metadata: { a: 1 } }],
    });
    await records.accept("Zoë", awkward, "queued");
    const entry = { interaction: awkward, outcome: "queued", trace: null };
    expect(withoutCursors(await records.history("Zoë"))).toEqual([entry]);
    expect(await records.queued("Zoë", 10)).toEqual([awkward]);
    expect(await records.persons()).toEqual(["Zoë"]);
    const trace = JSON.stringify({ why: "line\nbreak" });
    await apply({ acceptEntries: [{ interaction: awkward, outcome: "discarded", trace }] });
    expect((await records.history("ada"))[0]).toMatchObject({ interaction: awkward, outcome: "discarded", trace });
    expect(await records.traces("ada", ["discarded"])).toMatchObject([{ id: awkward.id, trace }]);
  });

  it("the same id is stored once, and the first stays", async () => {
    await queue("x");
    expect(await records.accept("ada", interaction("x", { summary: "other" }), "queued")).toBe(false);
    expect(await records.accept("bea", interaction("x"), "queued")).toBe(true);
    expect((await records.history("ada"))[0]!.interaction.summary).toBe("summary of x");
  });

  it("an open interaction is replaced by its continuation, and by nothing else, until it is queued", async () => {
    const say = (outcome: "open" | "queued", ...texts: readonly string[]): Promise<boolean> =>
      records.accept("ada", interaction("talk", { turns: texts.map(turn) }), outcome);
    expect(await say("open", "one")).toBe(true);
    expect([await queuedIds(), await records.queues()]).toEqual([[], []]);
    expect(await say("open", "one", "two")).toBe(true);
    expect(await say("open", "one", "other")).toBe(false);
    expect(await say("queued", "one")).toBe(false);
    expect(await say("queued", "one", "two", "three")).toBe(true);
    expect(await say("open", "one", "two", "three", "late")).toBe(false);
    expect((await records.queued("ada", 9))[0]!.turns).toHaveLength(3);
  });

  it("with mustContinue, what continues nothing is not stored", async () => {
    const options = { mustContinue: true };
    expect(await records.accept("ada", interaction("talk"), "open", options)).toBe(false);
    expect([await records.persons(), await records.knows("ada")]).toEqual([[], false]);
    expect(await records.accept("ada", interaction("talk"), "open")).toBe(true);
    expect(await records.accept("ada", interaction("talk"), "queued", options)).toBe(true);
    expect(await records.knows("ada")).toBe(true);
  });

  it("interactions with outcomes are taken over all or none, also of somebody unknown", async () => {
    const entry = (id: string, outcome: Outcome): AcceptedEntry => ({
      interaction: interaction(id),
      outcome,
      trace: '{"x":1}',
    });
    const acceptEntries = [entry("a", "committed"), entry("b", "discarded"), entry("c", "queued")];
    const change = { ...noChange, putNodes: [embed({ id: "a" })] };
    const dangling = { ...change, putEdges: [edgeBetween("a", "b", 1)] };
    await expect(apply({ acceptEntries, change: dangling }, 0)).rejects.toMatchObject({ code: "store_corrupt" });
    expect(await records.persons()).toEqual([]);
    await apply({ acceptEntries, change }, 0);
    expect(withoutCursors(await records.history("ada"))).toEqual(acceptEntries);
    const known = { acceptEntries: [entry("d", "queued"), entry("a", "queued")] };
    await expect(apply(known)).rejects.toMatchObject({ code: "store_stale" });
    expect(withoutCursors(await records.history("ada"))).toEqual(acceptEntries);
  });

  it("what names a memory that does not exist is refused with its whole batch", async () => {
    await queue("a");
    const base = await revisionOf();
    const putNodes = [embed({ id: "a" })];
    const wrong: Partial<GraphChange>[] = [
      { putNodes, setPairs: [{ id: "b", pairId: "a" }] },
      { putNodes, setPairs: [{ id: "a", pairId: "b" }] },
      { putNodes, setEnds: [{ id: "b", ends: [endOf("a")] }] },
      { putNodes, setMarks: [{ id: "b", marks: [markOf("held")] }] },
      { putNodes, setMetadata: [{ id: "b", metadata: {}, expiresMs: null }] },
      { removeNodes: ["b"], setMarks: [{ id: "b", marks: [] }] },
    ];
    for (const parts of wrong) {
      await expect(apply({ change: { ...noChange, ...parts } })).rejects.toMatchObject({ code: "store_corrupt" });
    }
    expect(await revisionOf()).toBe(base);
  });

  it("the queue keeps the order of acceptance, and what is done leaves it", async () => {
    const ids = ["m", "z", "a", "k", "b"];
    for (const [i, id] of ids.entries()) await records.accept("ada", interaction(id, { initMs: 1_000 - i }), "queued");
    await records.accept("bea", interaction("x"), "queued");
    expect((await records.queued("ada", 3)).map(({ id }) => id)).toEqual(["m", "z", "a"]);
    await apply({ outcomes: [{ id: "m", outcome: "discarded", trace: '{"why":1}' }] });
    expect(await queuedIds()).toEqual(["z", "a", "k", "b"]);
    expect([await records.queuedCount("ada"), await records.queuedCount("cleo")]).toEqual([4, 0]);
    const queues = (await records.queues()).sort((x, y) => (x.person < y.person ? -1 : 1));
    expect(queues).toEqual([
      { person: "ada", count: 4 },
      { person: "bea", count: 1 },
    ]);
    await apply({ requeueInteractions: ["m"] });
    expect((await records.queued("ada", 1))[0]).toEqual(interaction("m", { initMs: 1_000, restored: true }));
    expect(await records.outcomeCounts("ada")).toEqual({ queued: 5 });
    await apply({ forgetInteractions: ["k"], outcomes: [{ id: "z", outcome: "paired", trace: '{"n":"ä"}' }] });
    expect(await records.outcomeCounts("ada")).toEqual({ queued: 3, paired: 1 });
    expect(await records.traces("ada", ["paired", "queued"])).toMatchObject([
      { id: "m", trace: null },
      { id: "z", trace: '{"n":"ä"}' },
      { id: "a", trace: null },
      { id: "b", trace: null },
    ]);
  });

  it("an edited interaction keeps its outcome, its trace and its place", async () => {
    await queue("x", "y", "z");
    await apply({ outcomes: [{ id: "y", outcome: "discarded", trace: '{"n":1}' }], requeueInteractions: ["x"] });
    const edited = { summary: "edited", updates: ["q"], kept: true, expiresMs: 5 };
    await apply({ replaceInteractions: ["y", "x", "nobody"].map((id) => interaction(id, edited)) });
    expect(withoutCursors(await records.history("ada"))).toEqual([
      { interaction: interaction("x", { ...edited, restored: true }), outcome: "queued", trace: null },
      { interaction: interaction("y", edited), outcome: "discarded", trace: '{"n":1}' },
      { interaction: interaction("z"), outcome: "queued", trace: null },
    ]);
    await apply({ setInteractionUpdates: ["y", "nobody"].map((id) => ({ id, updates: [] })) });
    expect((await records.history("ada", { ids: ["y"] }))[0]!.interaction.updates).toEqual([]);
  });

  it("history is selected by ids and outcomes, and read in pieces either way", async () => {
    const ids = Array.from({ length: 9 }, (_, i) => `i${8 - i}`);
    await queue(...ids);
    const odd = ids.filter((_, i) => i % 2 === 1);
    await apply({ outcomes: odd.map((id) => ({ id, outcome: "discarded", trace: null })) });
    expect(await idsOf({ ids: ["i0", "i8", "nobody"] })).toEqual(["i8", "i0"]);
    expect(await idsOf({ ids: ["i8", "i7"], outcomes: ["discarded"] })).toEqual(["i7"]);
    expect([await idsOf({ ids: [] }), await idsOf({ outcomes: [] })]).toEqual([[], []]);
    for (const newestFirst of [false, true]) {
      for (const outcomes of [undefined, ["discarded"], ["queued", "discarded"]] as const) {
        const kept = outcomes?.length === 1 ? odd : ids;
        const found: string[] = [];
        for (let after: string | undefined; ;) {
          const selection = { newestFirst, limit: 2, ...(outcomes && { outcomes }), ...(after && { after }) };
          const piece = await records.history("ada", selection);
          if (piece.length === 0) break;
          found.push(...piece.map((entry) => entry.interaction.id));
          after = piece.at(-1)!.cursor;
        }
        expect(found).toEqual(newestFirst ? kept.toReversed() : kept);
      }
    }
    const many = Array.from({ length: 650 }, (_, i) => ({
      interaction: interaction(`n${i}`),
      outcome: i % 160 === 9 ? ("paired" as const) : ("committed" as const),
      trace: null,
    }));
    await apply({ acceptEntries: many });
    const paired = ["n9", "n169", "n329", "n489", "n649"];
    expect(await idsOf({ outcomes: ["paired"] })).toEqual(paired);
    expect(await idsOf({ outcomes: ["paired"], limit: 4 })).toEqual(paired.slice(0, 4));
    expect(await idsOf({ outcomes: ["paired"], limit: 5, newestFirst: true })).toEqual(paired.toReversed());
    await expect(records.history("ada", { after: "x" })).rejects.toMatchObject({ code: "option_invalid" });
  });

  it("what expires is found, the first at the start, until it is forgotten or expires later", async () => {
    const expiring = (id: string, expiresMs: number): Interaction => interaction(id, { expiresMs });
    await records.accept("ada", expiring("late", 300), "queued");
    await records.accept("ada", expiring("early", 100), "queued");
    await records.accept("bea", expiring("early", 50), "open");
    await records.accept("cleo", interaction("never"), "queued");
    expect(await records.personsWithExpired(1_000, 9)).toEqual(["bea", "ada"]);
    expect([await records.personsWithExpired(99, 9), await records.nextExpiryMs()]).toEqual([["bea"], 50]);
    await apply({ outcomes: [{ id: "early", outcome: "discarded", trace: null }] });
    await records.erase("bea");
    expect([await records.personsWithExpired(100, 9), await records.nextExpiryMs()]).toEqual([["ada"], 100]);
    await apply({ replaceInteractions: [expiring("early", 500)] });
    expect([await records.personsWithExpired(299, 9), await records.nextExpiryMs()]).toEqual([[], 300]);
    await apply({ forgetInteractions: ["late"] });
    await apply({ replaceInteractions: [interaction("early")] });
    expect(await records.nextExpiryMs()).toBeNull();
  });

  it("a person whose last interaction is forgotten is unknown again, and revisions never repeat", async () => {
    const coreSummary = { text: "- The knee.", updatedMs: 1, sourceIds: ["a"], trace: "{}" };
    await queue("a", "b");
    await apply({ coreSummary, commitsSinceCoreSummary: 3 });
    await apply({ forgetInteractions: ["b"] });
    expect(await records.knows("ada")).toBe(true);
    const last = await apply({ forgetInteractions: ["a"], coreSummary: null });
    expect([await records.persons(), await records.knows("ada"), last]).toEqual([[], false, 0]);
    await queue("a");
    expect(await revisionOf()).toBeGreaterThan(0);
    const { isWhole, pages } = await records.readGraph("ada", 0);
    expect(isWhole).toBe(true);
    for await (const { records: left } of pages) expect(left).toEqual([]);
  });

  it("persons are listed by the bytes of their names, in pieces", async () => {
    const names = ["Zoë", "ada", "a", "漢字", "\u{1f9e0}", "\uffee", "b"];
    for (const name of names) await records.accept(name, interaction("x"), "queued");
    const sorted = names.toSorted((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
    expect(await records.persons()).toEqual(sorted);
    expect(await records.persons({ after: "ab", limit: 3 })).toEqual(sorted.filter((name) => name > "ab").slice(0, 3));
    expect(await records.persons({ after: "a", limit: 1 })).toEqual(["ada"]);
  });

  it("whose vectors there are is claimed once; cached bytes stay under their key", async () => {
    const [one, two] = [8, 16].map((size) => ({ name: `of ${size}`, dimensions: size })) as [Identity, Identity];
    expect(await records.embedder()).toBeNull();
    expect([await records.claimEmbedder(one), await records.claimEmbedder(two)]).toEqual([one, one]);
    await records.setEmbedder(two);
    expect(await records.embedder()).toEqual(two);
    await records.cache("examples", Uint8Array.of(1, 2, 3));
    await records.cache("examples", Uint8Array.of(0, 255, 128, 7));
    expect([...(await records.cached("examples"))!]).toEqual([0, 255, 128, 7]);
    expect([await records.cached("other"), await records.persons()]).toEqual([null, []]);
  });
});

interface Identity {
  readonly name: string;
  readonly dimensions: number;
}
