/**
 * usearch: an approximate index (HNSW) over vectors of 8-bit numbers, its fastest setting here. It stores no texts, and
 * additions are only in memory until the whole index is saved.
 */
import { join } from "node:path";
import { dimensions } from "../synthetic.mjs";
import { makeBatches, resultCount } from "./memories.mjs";
import { requirePackage } from "./packages.mjs";

const allThreads = 0;

export const usearch = {
  name: "usearch, 8 bits",
  packages: ["usearch"],
  folder: "usearch",
  vectorsPerMemory: 1,
  load: () => requirePackage("usearch"),
  async fill(folder, count) {
    const index = createIndex();
    for (const batch of makeBatches(count)) {
      const vectors = new Float32Array(batch.length * dimensions);
      batch.forEach(({ vector }, i) => vectors.set(vector, i * dimensions));
      index.add(
        BigUint64Array.from(batch, ({ number }) => BigInt(number)),
        vectors,
        allThreads,
      );
    }
    index.save(pathIn(folder));
  },
  /** `view` reads from the file as needed; an index must be loaded before anything is added. */
  async open(folder, _embedder, { isForStoring = false } = {}) {
    const index = createIndex();
    const path = pathIn(folder);
    if (isForStoring) index.load(path);
    else index.view(path);
    return {
      search: async ({ vector }) => Array.from(index.search(vector, resultCount).keys, Number),
      store: async ({ number, vector }) => index.add(BigInt(number), vector),
      save: async () => index.save(path),
      close() {},
    };
  },
};

function createIndex() {
  const { Index } = requirePackage("usearch");
  return new Index({ metric: "cos", dimensions, quantization: "i8" });
}

function pathIn(folder) {
  return join(folder, "vectors.usearch");
}
