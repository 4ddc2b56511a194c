/**
 * mem0ai without a language model (`infer: false`), on its local store: once only the store, which compares vectors, and
 * once its `Memory`, which also searches for words and names.
 */
import { join } from "node:path";
import { SyntheticEmbedder, dimensions } from "../synthetic.mjs";
import { makeBatches, resultCount } from "./memories.mjs";
import { requirePackage } from "./packages.mjs";

const user = "bench";
const filters = { user_id: user };

const shared = {
  packages: ["better-sqlite3", "mem0ai"],
  folder: "mem0",
  vectorsPerMemory: 1,
  load: () => requirePackage("mem0ai/oss"),
  fill,
};

export const mem0Store = {
  ...shared,
  name: "mem0ai, its local store",
  async open(folder) {
    const { MemoryVectorStore } = shared.load();
    const store = new MemoryVectorStore({ dimension: dimensions, dbPath: storePath(folder) });
    await store.initialize();
    return {
      search: async ({ vector }) => (await store.search(Array.from(vector), resultCount, filters)).map(numberOf),
      store: ({ number, text, vector }) => store.insert([vector], [`stored-${number}`], [makePayload(number, text)]),
      close: () => store.db.close(),
    };
  },
};

export const mem0Memory = {
  ...shared,
  name: "mem0ai, its Memory",
  isSlow: true,
  async open(folder, embedder) {
    const memory = openMemory(folder, embedder);
    return {
      async search({ text }) {
        const { results } = await memory.search(text, { topK: resultCount, filters });
        return results.map(({ metadata }) => metadata.number);
      },
      store: (item) => add(memory, item),
      close: () => memory.vectorStore.db.close(),
    };
  },
};

function storePath(folder) {
  return join(folder, "vectors.db");
}

/** Its embedder and its language model are our own objects; the latter is never called. */
function openMemory(folder, embedder, options = {}) {
  const { Memory } = shared.load();
  const embedAll = async (texts) => (await embedder.embed(texts)).map((vector) => Array.from(vector));
  const model = { embedDocuments: embedAll, embedQuery: async (text) => (await embedAll([text]))[0] };
  const invoke = () => Promise.reject(new Error("no language model in this comparison"));
  return new Memory({
    embedder: { provider: "langchain", config: { model } },
    llm: { provider: "langchain", config: { model: { invoke } } },
    vectorStore: { provider: "memory", config: { dimension: dimensions, dbPath: storePath(folder) } },
    historyDbPath: join(folder, "history.db"),
    ...options,
  });
}

/** Through its public API, with disk syncing turned off only for filling. */
async function fill(folder, count) {
  const embedder = new SyntheticEmbedder();
  const memory = openMemory(folder, embedder, { disableHistory: true });
  await memory.getAll({ filters, topK: 1 });
  memory.vectorStore.db.pragma("synchronous = off");
  memory.vectorStore.db.pragma("journal_mode = memory");
  for (const batch of makeBatches(count)) {
    for (const item of batch) await add(memory, item);
  }
  memory.vectorStore.db.close();
}

function add(memory, { number, text }) {
  return memory.add(text, { userId: user, metadata: { number }, infer: false });
}

/** As its `Memory` writes it, except for the stemmed words, of which there are fewer. */
function makePayload(number, text) {
  const createdAt = new Date(number).toISOString();
  return { user_id: user, number, data: text, hash: String(number), textLemmatized: text.toLowerCase(), createdAt };
}

function numberOf({ payload }) {
  return payload.number;
}
