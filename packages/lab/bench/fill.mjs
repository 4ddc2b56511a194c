/**
 * Fills a store with any number of memories, much faster than committing them one by one: batches go straight into the
 * store, as in an import. Edges and pairs are those that commitment would find: within a thread of conversations.
 */
import { copyFileSync, existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { MemoryGraph } from "mnemosyne-edge/internal/graph/memory-graph.js";
import { openRecords } from "mnemosyne-edge/internal/opening.js";
import { makeFolder, person, removeFolder } from "./harness.mjs";
import { SyntheticEmbedder, chooseKeywords, makeConversation, timeOf } from "./synthetic.mjs";

const batchSize = 1_000;
const edgeThreshold = 0.5;
const keywordWeight = 0.3;
const degreeMax = 32;
const dayMs = 86_400_000;
const memoryFolder = "/dev/shm";
const binCountOfNoImportance = 2;

/** Writes `count` memories to a file or, by its address, to a store in a server. */
export async function fill({ path, count }) {
  if (path.includes("://")) return fillStore(path, count);
  // Every accepted interaction is synced to the disk; in a memory-backed folder that costs nothing.
  const folder = existsSync(memoryFolder) ? makeFolder(memoryFolder) : null;
  const filled = folder === null ? path : join(folder, basename(path));
  try {
    const startMs = performance.now();
    const result = await fillStore(filled, count);
    if (folder !== null) copyFileSync(filled, path);
    return { ...result, seconds: (performance.now() - startMs) / 1000, byteCount: statSync(path).size };
  } finally {
    if (folder !== null) removeFolder(folder);
  }
}

async function fillStore(path, count) {
  const embedder = new SyntheticEmbedder();
  const records = await openRecords({ path });
  const graph = new MemoryGraph(embedder.identity.dimensions, binCountOfNoImportance);
  const threads = new ThreadEdges();
  let baseRevision = 0;
  let edgeCount = 0;
  let pairCount = 0;
  try {
    await records.setEmbedder(embedder.identity);
    for (let from = 0; from < count; from += batchSize) {
      const memories = [];
      for (let number = from; number < Math.min(from + batchSize, count); number++) {
        memories.push(makeMemory(number, count, embedder));
      }
      const { putEdges, setPairs } = splitEdges(memories.flatMap((memory) => threads.connect(memory)));
      edgeCount += putEdges.length;
      pairCount += setPairs.length / 2;
      const change = makeChange(memories, { putEdges, setPairs });
      const acceptEntries = memories.map(({ interaction, embedded }) => ({
        interaction,
        outcome: "committed",
        trace: makeTrace(embedded.node.keywords),
      }));
      const rest = { outcomes: [], forgetInteractions: [], commitsSinceCoreSummary: 0 };
      baseRevision = await records.apply(person, { baseRevision, change, acceptEntries, ...rest }, graph, new Map());
      graph.apply(change);
    }
  } finally {
    await records.close();
  }
  return { count, edgeCount, pairCount };
}

function makeMemory(number, count, embedder) {
  const conversation = makeConversation(number);
  const { statements, turns } = conversation;
  const keywords = chooseKeywords(conversation);
  const initMs = timeOf(number, count);
  const id = makeId(number, initMs);
  const summaryText = turns.map(({ who, text }) => `${who}: ${text}`).join(" ");
  const summaryVector = quantize(embedder.vectorOf(summaryText));
  return {
    conversation,
    interaction: {
      id,
      initMs,
      acceptedMs: initMs,
      turns,
      summary: null,
      state: null,
      restored: false,
      kept: false,
      updates: [],
      metadata: {},
      expiresMs: null,
      versions: [],
    },
    embedded: {
      node: {
        id,
        initMs,
        pairId: null,
        summaryText,
        state: null,
        keywords,
        hypotheticalQuery: "",
        questions: [],
        statements,
        ends: [],
        marks: [],
        metadata: {},
        expiresMs: null,
      },
      fullText: turns.map(({ who, text }) => `${who}: ${text}`).join("\n"),
      summaryVector,
      hypotheticalVector: summaryVector,
      statementVectors: statements.map(({ text }) => quantize(embedder.vectorOf(text))),
      questionVectors: [],
      tokenBytes: null,
    },
  };
}

/** As the library makes them: day, time, fingerprint. */
function makeId(number, initMs) {
  const [date, time] = new Date(initMs).toISOString().split("T");
  return `${date.replaceAll("-", "")}-${time.slice(0, 5).replace(":", "")}-${number.toString(16).padStart(6, "0")}`;
}

function makeChange(memories, { putEdges, setPairs }) {
  return {
    putNodes: memories.map(({ embedded }) => embedded),
    removeNodes: [],
    putEdges,
    removeEdges: [],
    setPairs,
    setEnds: [],
    setMarks: [],
    setMetadata: [],
  };
}

/** As long as a real one. */
function makeTrace(keywords) {
  const filler = { id: "20240101-0000-000000", nmi: 0.1234567890123456, jaccard: 0.1234567890123456 };
  return JSON.stringify({ outcome: "committed", keywords, detail: Array.from({ length: 7 }, () => filler) });
}

function splitEdges(edges) {
  const putEdges = edges.map(({ isPair: _, ...edge }) => edge);
  const setPairs = edges
    .filter(({ isPair }) => isPair)
    .flatMap(({ a, b }) => [
      { id: a, pairId: b },
      { id: b, pairId: a },
    ]);
  return { putEdges, setPairs };
}

/** Finds the edges of each new memory within its thread. */
class ThreadEdges {
  #threads = new Map();
  #degrees = new Map();
  #paired = new Set();

  connect({ conversation, embedded: { node, summaryVector } }) {
    const { threadNumber, repeats, number } = conversation;
    const members = this.#threads.get(threadNumber) ?? [];
    const found = members
      .map((member) => ({ member, weight: similarity(node, summaryVector, member) }))
      .filter(({ weight, member }) => weight >= edgeThreshold || member.number === repeats)
      .sort((x, y) => y.weight - x.weight)
      .filter(({ member }) => this.#degree(member.node.id) < degreeMax)
      .slice(0, degreeMax);
    const edges = found.map(({ member, weight }) => this.#makeEdge(node, member, weight, member.number === repeats));
    members.push({ number, node, summaryVector });
    this.#threads.set(threadNumber, members);
    return edges;
  }

  #makeEdge(node, member, weight, isRepetition) {
    const [a, b] = [node.id, member.node.id].sort();
    const isPair = isRepetition && !this.#paired.has(a) && !this.#paired.has(b);
    for (const id of [a, b]) {
      this.#degrees.set(id, this.#degree(id) + 1);
      if (isPair) this.#paired.add(id);
    }
    const boost = isPair ? { boostMs: 10 * dayMs, boostedMs: node.initMs } : { boostMs: 0, boostedMs: null };
    return { a, b, weight, ...boost, isPair };
  }

  #degree(id) {
    return this.#degrees.get(id) ?? 0;
  }
}

function similarity(node, vector, member) {
  const known = new Set(member.node.keywords);
  const shared = node.keywords.filter((keyword) => known.has(keyword)).length;
  const jaccard = shared / (node.keywords.length + known.size - shared);
  return (1 - keywordWeight) * cosine(vector, member.summaryVector) + keywordWeight * jaccard;
}

function cosine(a, b) {
  let product = 0;
  let squareA = 0;
  let squareB = 0;
  for (let i = 0; i < a.length; i++) {
    product += a[i] * b[i];
    squareA += a[i] * a[i];
    squareB += b[i] * b[i];
  }
  return product / Math.sqrt(squareA * squareB);
}

function quantize(vector) {
  const largest = vector.reduce((most, component) => Math.max(most, Math.abs(component)), 0);
  return Int8Array.from(vector, (component) => Math.round((component / largest) * 127));
}
