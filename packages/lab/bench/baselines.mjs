/**
 * Baselines for the other figures, from the same run on the same machine: a plain scan over one vector per memory, one
 * synced write to the disk, and the store somebody would write in an afternoon.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { summarize, timeEach } from "./harness.mjs";
import { SyntheticEmbedder, createRandom, makeConversation, makeQuestion } from "./synthetic.mjs";

const dimensions = 384;
const scanRepeats = 15;

/** Cosines of one question with one Float32 vector per memory. */
export async function measureScan({ count }) {
  const random = createRandom(1);
  const vectors = Float32Array.from({ length: count * dimensions }, () => random() - 0.5);
  const query = vectors.slice(0, dimensions);
  const products = new Float32Array(count);
  const times = await timeEach(scanRepeats, () => {
    for (let row = 0; row < count; row++) {
      let sum = 0;
      const start = row * dimensions;
      for (let i = 0; i < dimensions; i++) sum += vectors[start + i] * query[i];
      products[row] = sum;
    }
  });
  return { ...summarize(times.slice(3)), count };
}

/** A page appended to a file and synced: the minimum cost of storing something safely. */
export async function measureSync({ folder }) {
  const file = openSync(join(folder, "sync"), "w");
  const page = Buffer.alloc(4096, 1);
  const times = await timeEach(50, () => {
    writeSync(file, page);
    fsyncSync(file);
  });
  closeSync(file);
  return summarize(times);
}

/** All memories in one JSON file, vectors as arrays of numbers; rewritten at each commit, compared one by one. */
class NaiveStore {
  #path;
  #memories = [];

  constructor(path) {
    this.#path = path;
  }

  add(text, vector) {
    this.#memories.push({ text, vector: [...vector] });
  }

  save() {
    writeFileSync(`${this.#path}.new`, JSON.stringify(this.#memories), { flush: true });
    renameSync(`${this.#path}.new`, this.#path);
  }

  load() {
    this.#memories = JSON.parse(readFileSync(this.#path, "utf8"));
  }

  recall(vector, count) {
    return this.#memories
      .map((memory) => ({ memory, score: cosine(vector, memory.vector) }))
      .sort((x, y) => y.score - x.score)
      .slice(0, count);
  }
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

export async function measureNaive({ folder, count, recallCount, commitCount }) {
  const embedder = new SyntheticEmbedder();
  const path = join(folder, `naive-${count}.json`);
  const store = new NaiveStore(path);
  const add = (number) => {
    const text = makeConversation(number).statements.join(" ");
    store.add(text, embedder.vectorOf(text));
  };
  for (let number = 0; number < count; number++) add(number);
  store.save();
  const [loadMs] = await timeEach(1, () => store.load());
  const vectors = Array.from({ length: recallCount }, (_, i) => [...embedder.vectorOf(makeQuestion(i % count))]);
  await timeEach(3, (i) => store.recall(vectors[i], 10));
  const recall = summarize(await timeEach(recallCount, (i) => store.recall(vectors[i], 10)));
  const commit = summarize(
    await timeEach(commitCount, (i) => {
      add(count + i);
      store.save();
    }),
  );
  return { count, loadMs, recall, commit };
}
