/**
 * Whatever happens to a graph, its records say the same: read whole, as differences from any revision, and while they
 * change. An edge is kept with the newer of its memories, so those that change their times are of interest.
 */
import fc from "fast-check";
import type { Batch, CoreSummary, EmbeddedNode, GraphChange, ReadSelection, RecordSnapshot } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { describe, expect, it } from "vitest";
import { indexedTermsSteps } from "../../../src/graph/indexed-terms.js";
import { MemoryGraph } from "../../../src/graph/memory-graph.js";
import { noChange, orderedPair } from "../../../src/graph/memory-node.js";
import { markKinds, uniteLinks } from "../../../src/graph/statement.js";
import { finish } from "../../../src/text/steps.js";
import type { EngineContext } from "../../../src/engine/engine-context.js";
import { PersonState } from "../../../src/engine/person-state.js";
import { Records } from "../../../src/engine/records/records.js";
import { readMoment } from "../../../src/upkeep/transfer/person-moment.js";
import { parseParameters } from "../../../src/parameters.js";
import { Codec } from "../../../src/stores/codec.js";
import { StaleRevisionError } from "../../../src/errors.js";
import { binCount, dimensions, edgeBetween, embed, endOf, factOf, markOf } from "../../graph/graph-fixtures.js";
import { bareInteraction } from "../bare-interaction.js";

const ids = Array.from({ length: 8 }, (_, i) => `m${i}`);
const id = fc.constantFrom(...ids);
const few = <Value>(value: fc.Arbitrary<Value>, maxLength = 2): fc.Arbitrary<Value[]> => fc.array(value, { maxLength });

const position = fc.option(fc.nat({ max: 1 }));

/** What somebody wants to happen; what cannot is left out. */
const step = fc.record({
  put: few(
    fc.record({
      id,
      // Few, so that many happened at once and the id decides which is newer.
      initMs: fc.integer({ min: 1, max: 5 }),
      said: fc.constantFrom("knee", "the garden", "膝が痛い", ""),
      questions: few(fc.constant("What of the knee?"), 1),
      tokens: fc.option(fc.uint8Array({ minLength: 1, maxLength: 5 })),
      pair: fc.option(id),
      vector: fc.array(fc.integer({ min: -127, max: 127 }), { minLength: dimensions, maxLength: dimensions }),
    }),
  ),
  remove: few(id),
  forget: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: few(id, 3) }),
  putEdges: few(fc.record({ x: id, y: id, weight: fc.integer({ min: 1, max: 4 }), boostMs: fc.nat({ max: 1 }) }), 6),
  removeEdges: few(fc.tuple(id, id), 3),
  pairs: few(fc.tuple(id, fc.option(id))),
  ends: few(fc.tuple(id, few(fc.tuple(id, position, position)))),
  marks: few(fc.tuple(id, few(fc.tuple(fc.constantFrom(...markKinds), position)))),
  notes: few(fc.tuple(id, fc.constantFrom({}, { agent: "naïve 漢字" }), fc.option(fc.nat()))),
  core: fc.option(fc.option(fc.constantFrom("One.", "Two.")), { nil: undefined }),
  commits: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
  /** Which of the readers look, and whether the writer ends and another one loads what there is. */
  look: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const lives = fc.array(step, { minLength: 1, maxLength: 14 });

/** A store whose pages are read one after the other: others write in between, and a difference comes at the end. */
class PagingStore extends MemoryStore {
  recordsPerPage = Infinity;
  between = async (): Promise<void> => {};

  override async read(person: string, selection: ReadSelection = {}): Promise<RecordSnapshot> {
    const first = await super.read(person, selection);
    if (this.recordsPerPage === Infinity || !first.isWhole || selection.ids !== undefined) return first;
    const readOn = (more: ReadSelection): Promise<RecordSnapshot> => super.read(person, { ...selection, ...more });
    const { recordsPerPage: limit, between } = this;
    const snapshot = { ...first, pages: pages() };
    async function* pages(): AsyncGenerator<{ records: never[]; damage: never[] }> {
      for (let after = 0; ;) {
        const found: never[] = [];
        for await (const { records } of (await readOn({ since: 0, after, limit })).pages)
          found.push(...(records as never[]));
        if (found.length === 0) break;
        yield { records: found, damage: [] };
        after = (found.at(-1) as unknown as { place: number }).place;
        await between();
      }
      const difference = await readOn({ since: first.revision });
      if (difference.isWhole && difference.revision !== first.revision) {
        throw new StaleRevisionError(person, first.revision, difference.revision);
      }
      if (!difference.isWhole) yield* difference.pages as AsyncIterable<{ records: never[]; damage: never[] }>;
      snapshot.revision = difference.revision;
    }
    return snapshot;
  }
}

/** Somebody who changes a graph, and what should be true after it. */
class Life {
  readonly store = new PagingStore();
  readonly records: Records;
  graph = new MemoryGraph(dimensions, binCount);
  revision = 0;
  coreSummary: CoreSummary | null = null;
  commits = 0;
  readonly outcomes = new Map<string, "committed" | "pruned">();
  readonly tokens = new Map<string, Uint8Array>();

  private constructor(records: Records, store: PagingStore) {
    this.records = records;
    this.store = store;
  }

  static async begin(): Promise<Life> {
    const store = new PagingStore();
    return new Life(await Records.open(store, new Codec()), store);
  }

  state(): PersonState {
    const parameters = { ...parseParameters(), redundancyBinCount: binCount };
    const context = { records: this.records, embedding: { identity: { dimensions } }, parameters };
    return new PersonState("ada", context as unknown as EngineContext);
  }

  async live(given: Step): Promise<void> {
    const batch = this.#batchOf(given);
    // As the engine: of somebody unknown there is nothing to change.
    if (this.revision === 0 && batch.acceptEntries!.length === 0) return;
    const terms = finish(indexedTermsSteps(batch.change));
    this.revision = await this.records.apply("ada", batch, this.graph, terms);
    this.graph.apply(batch.change, terms);
    for (const removed of batch.change.removeNodes) this.tokens.delete(removed);
    for (const { node, tokenBytes } of batch.change.putNodes) {
      if (tokenBytes === null) this.tokens.delete(node.id);
      else this.tokens.set(node.id, tokenBytes);
    }
    for (const { interaction } of batch.acceptEntries ?? []) this.outcomes.set(interaction.id, "committed");
    for (const changed of batch.outcomes) this.outcomes.set(changed.id, changed.outcome as "committed" | "pruned");
    for (const forgotten of batch.forgetInteractions) this.outcomes.delete(forgotten);
    if (batch.coreSummary !== undefined) this.coreSummary = batch.coreSummary;
    this.commits = batch.commitsSinceCoreSummary ?? this.commits;
    if (this.outcomes.size === 0) [this.coreSummary, this.commits] = [null, 0];
  }

  #batchOf(given: Step): Batch {
    const known = [...new Set(given.forget)].filter((each) => this.outcomes.has(each));
    const isAll = known.length > 0 && known.length === this.outcomes.size;
    // A batch that forgets everything adds nothing.
    const wanted = isAll ? [] : given.put.filter((put) => !known.includes(put.id));
    const putNodes = [...new Map(wanted.map((put) => [put.id, toMemory(put)])).values()];
    const putIds = new Set(putNodes.map(({ node }) => node.id));
    const removeNodes = [...new Set([...given.remove, ...known])].filter((each) => this.graph.has(each));
    const isThere = (each: string): boolean =>
      putIds.has(each) || (this.graph.has(each) && !removeNodes.includes(each));
    const change: GraphChange = {
      putNodes,
      removeNodes,
      putEdges: given.putEdges
        .filter(({ x, y }) => x !== y && isThere(x) && isThere(y))
        .map(({ x, y, weight, boostMs }) => edgeBetween(x, y, weight, boostMs)),
      removeEdges: given.removeEdges.map(([x, y]) => orderedPair(x, y)),
      setPairs: given.pairs
        .filter(([x, y]) => isThere(x) && (y === null || isThere(y)))
        .map(([x, pairId]) => ({ id: x, pairId })),
      setEnds: given.ends
        .filter(([x]) => isThere(x))
        .map(([x, links]) => ({ id: x, ends: uniteLinks(links.map((link) => endOf(...link))) })),
      setMarks: given.marks
        .filter(([x]) => isThere(x))
        .map(([x, list]) => ({ id: x, marks: list.map((mark) => markOf(...mark)) })),
      setMetadata: given.notes
        .filter(([x]) => isThere(x))
        .map(([x, metadata, expiresMs]) => ({ id: x, metadata, expiresMs })),
    };
    const isNew = ({ node }: EmbeddedNode): boolean => !this.outcomes.has(node.id);
    const acceptEntries = putNodes.filter(isNew).map(({ node }) => ({
      interaction: { ...bareInteraction, id: node.id, summary: "Said." },
      outcome: "committed" as const,
      trace: null,
    }));
    const again = putNodes.filter((node) => !isNew(node)).map(({ node }) => node.id);
    const gone = removeNodes.filter((each) => !putIds.has(each) && !known.includes(each));
    const core = given.core ?? null;
    const coreSummary = core && { text: core, updatedMs: 1, sourceIds: [], trace: "{}" };
    return {
      baseRevision: this.revision,
      change,
      acceptEntries,
      outcomes: [
        ...again.map((each) => ({ id: each, outcome: "committed" as const, trace: null })),
        ...gone.map((each) => ({ id: each, outcome: "pruned" as const, trace: null })),
      ],
      forgetInteractions: known,
      ...(given.core === undefined || isAll ? {} : { coreSummary }),
      ...(given.commits === undefined || isAll ? {} : { commitsSinceCoreSummary: given.commits }),
    };
  }

  /** Whether a change would leave a person whom nobody knows. */
  get isKnown(): boolean {
    return this.outcomes.size > 0;
  }
}

function toMemory({ id: own, initMs, said, questions, tokens, pair, vector }: Step["put"][number]): EmbeddedNode {
  const keywords = said.split(" ").filter((word) => word !== "");
  const sketch = { id: own, initMs, pairId: null, keywords, vector, fullText: `${said} It rains.`, questions };
  const embedded = embed({
    ...sketch,
    statements: [factOf("It rains.")],
    ends: pair === null ? [] : [endOf(pair, 0, 0)],
  });
  return { ...embedded, tokenBytes: tokens };
}

/** Everything that a graph answers; vectors by what is compared with them. */
function describeGraph(graph: MemoryGraph): unknown {
  const nodes = [...graph.nodes()].sort((x, y) => (x.id < y.id ? -1 : 1));
  return {
    counts: [graph.nodeCount, graph.edgeCount, graph.byteCount, graph.lexicalIndex.documentCount],
    nodes,
    all: [...graph.edges()].map(({ a, b }) => `${a} ${b}`).sort(),
    memories: nodes.map(({ id: own }) => {
      const slot = graph.slotOf(own);
      return {
        edges: graph.edgesOf(own),
        degrees: [graph.degree(own), graph.boostedDegree(own)],
        linksTo: graph
          .linksTo(own)
          .map((link) => JSON.stringify(link))
          .sort(),
        marked: [graph.isMarkedAt(slot), graph.lastsAt(slot), graph.lasting().get(own)],
        notes: [graph.metadataAt(slot), graph.expiresMsAt(slot), graph.initMs[slot]],
        vectors: [graph.summaryVectors.get(slot), graph.hypotheticalVectors.get(slot)],
        cues: [graph.statements.vectorsOf(slot), graph.questions.vectorsOf(slot)],
        holds: ["knee", "garden", "膝", "rain"].map((term) => graph.lexicalIndex.holds(slot, term)),
      };
    }),
  };
}

function describeState({ graph, coreSummary, commitsSinceCoreSummary }: PersonState): unknown {
  return [describeGraph(graph), coreSummary, commitsSinceCoreSummary];
}

function describeLife({ graph, coreSummary, commits }: Life): unknown {
  return [describeGraph(graph), coreSummary, commits];
}

/** What a moment holds, as the graph has it. */
async function expectMoment(life: Life): Promise<void> {
  const moment = await readMoment("ada", life.records);
  const { nodes, edges, entries, coreSummary, commitsSinceCoreSummary } = moment;
  const graph = new MemoryGraph(dimensions, binCount);
  graph.apply({ ...noChange, putNodes: nodes, putEdges: edges });
  expect([describeGraph(graph), coreSummary, commitsSinceCoreSummary]).toEqual(describeLife(life));
  // Each edge once.
  expect(edges).toHaveLength(life.graph.edgeCount);
  expect(new Map(entries.map(({ interaction, outcome }) => [interaction.id, outcome]))).toEqual(life.outcomes);
  const kept = nodes.flatMap(({ node, tokenBytes }) => (tokenBytes === null ? [] : [[node.id, tokenBytes] as const]));
  for (const tokens of [kept, await life.records.tokens("ada", ids)]) {
    expect(new Map([...tokens].map(([each, bytes]) => [each, Uint8Array.from(bytes)]))).toEqual(life.tokens);
  }
}

describe("the records of a graph", () => {
  const runs = { numRuns: 300 };

  it("say what is in memory, whole, as differences, and from one moment", async () => {
    await fc.assert(
      fc.asyncProperty(lives, async (steps) => {
        const life = await Life.begin();
        const followers = [life.state(), life.state()];
        for (const given of steps) {
          await life.live(given);
          for (const [i, follower] of followers.entries()) {
            if (!given.look[i]) continue;
            await follower.refresh();
            expect(describeState(follower)).toEqual(describeLife(life));
          }
          if (!given.look[2]) continue;
          const whole = life.state();
          await whole.refresh();
          expect(describeState(whole)).toEqual(describeLife(life));
          if (life.isKnown) await expectMoment(life);
          // The next one goes on with what was loaded.
          life.graph = whole.graph;
        }
        for (const follower of followers) {
          await follower.refresh();
          expect(describeState(follower)).toEqual(describeLife(life));
        }
      }),
      runs,
    );
  });

  it("say it while they change between the pages", async () => {
    await fc.assert(
      fc.asyncProperty(lives, lives, fc.integer({ min: 1, max: 5 }), async (before, meanwhile, recordsPerPage) => {
        const life = await Life.begin();
        for (const given of before) await life.live(given);
        const left = [...meanwhile];
        life.store.between = async () => {
          const given = left.shift();
          if (given !== undefined) await life.live(given);
        };
        life.store.recordsPerPage = recordsPerPage;
        const state = life.state();
        await state.refresh();
        expect(state.revision).toBe(life.revision);
        expect(describeState(state)).toEqual(describeLife(life));
        left.push(...meanwhile);
        if (life.isKnown) await expectMoment(life);
      }),
      runs,
    );
  });

  it("of a memory that comes back while pages are read are read again, its links before its content", async () => {
    const life = await Life.begin();
    const nothing = {
      remove: [],
      forget: [],
      putEdges: [],
      removeEdges: [],
      pairs: [],
      ends: [],
      marks: [],
      notes: [],
    };
    const rest = { ...nothing, core: undefined, commits: undefined, look: [false, false, false] as Step["look"] };
    const memory = (own: string): Step["put"][number] => {
      const vector = Array.from({ length: dimensions }, (_, i) => i);
      return { id: own, initMs: 1, said: "knee", questions: [], tokens: null, pair: null, vector };
    };
    const [first, second] = ids;
    await life.live({ ...rest, put: [memory(first!), memory(second!)] });
    await life.live({ ...rest, put: [], remove: [second!] });
    const edge = { x: first!, y: second!, weight: 2, boostMs: 0 };
    const left: Step[] = [{ ...rest, put: [memory(second!)], putEdges: [edge] }];
    life.store.recordsPerPage = 2;
    life.store.between = async () => {
      for (const given of left.splice(0)) await life.live(given);
    };
    const state = life.state();
    await state.refresh();
    expect(life.graph.edgeCount).toBe(1);
    expect(describeState(state)).toEqual(describeLife(life));
  });
});
