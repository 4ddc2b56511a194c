/** What is measured for every system, each in its own process: filling, searching, the first search, storing. */
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { timeOwnWork } from "../commit-recall.mjs";
import { collectGarbage, summarize } from "../harness.mjs";
import { mem0Memory, mem0Store } from "./mem0.mjs";
import { PrecomputedEmbedder, makeMemory, makeQuestions } from "./memories.mjs";
import { mnemosyne } from "./mnemosyne.mjs";
import { sqliteVecByte, sqliteVecFloat } from "./sqlite-vec.mjs";
import { usearch } from "./usearch.mjs";

/** In the order of the tables. */
export const systems = { mnemosyne, mem0Store, mem0Memory, sqliteVecFloat, sqliteVecByte, usearch };

/** Questions that only warm up, asked in turn for at least this long; and memories that only warm up. */
const warmUpQuestionCount = 5;
const warmUpMs = 1_000;
const warmUpStoreCount = 20;

export async function fillSystem({ key, folder, count }) {
  mkdirSync(folder, { recursive: true });
  await systems[key].fill(folder, count);
  const files = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  return { diskByteCount: files.reduce((sum, size) => sum + size, 0) };
}

/** A process with everything loaded and nothing opened. */
export async function measureNothing() {
  await collectGarbage();
  return { residentByteCount: process.memoryUsage().rss };
}

/** From the closed file to the first answer; the code is already loaded. */
export async function measureFirstSearch({ key, folder, count }) {
  const embedder = new PrecomputedEmbedder();
  const [question] = makeQuestions(1, 2, count, embedder);
  systems[key].load();
  let opened;
  const [firstSearchMs] = await timeOwnWork(embedder, 1, async () => {
    opened = await systems[key].open(folder, embedder);
    await opened.search(question);
  });
  await opened.close();
  return firstSearchMs;
}

export async function measureSearch({ key, folder, count, questionCount }) {
  const embedder = new PrecomputedEmbedder();
  const questions = makeQuestions(0, questionCount, count, embedder);
  const others = makeQuestions(questionCount, questionCount + warmUpQuestionCount, count, embedder);
  const opened = await systems[key].open(folder, embedder);
  await warmUp(opened, others);
  let foundCount = 0;
  const ask = async (i) => {
    const numbers = await opened.search(questions[i]);
    if (numbers.includes(questions[i].number)) foundCount++;
  };
  const search = summarizeSearches(await timeOwnWork(embedder, questionCount, ask));
  const found = foundCount / questionCount;
  const again = systems[key].isAskedAgain ? summarizeSearches(await timeOwnWork(embedder, questionCount, ask)) : null;
  await collectGarbage();
  const residentByteCount = process.memoryUsage().rss;
  const peakByteCount = process.resourceUsage().maxRSS * 1024;
  await opened.close();
  return { search, again, found, residentByteCount, peakByteCount };
}

async function warmUp(opened, questions) {
  const startMs = performance.now();
  do {
    for (const question of questions) await opened.search(question);
  } while (performance.now() - startMs < warmUpMs);
}

/** With the fastest, which is disturbed least by other programs on the machine. */
function summarizeSearches(times) {
  return { ...summarize(times), min: Math.min(...times) };
}

/** One memory after the other on top of the existing ones. */
export async function measureStore({ key, folder, count, storeCount }) {
  const embedder = new PrecomputedEmbedder();
  const memories = Array.from({ length: warmUpStoreCount + storeCount }, (_, i) => makeMemory(count + i, embedder));
  const opened = await systems[key].open(folder, embedder, { isForStoring: true });
  for (const memory of memories.slice(0, warmUpStoreCount)) await opened.store(memory);
  const times = await timeOwnWork(embedder, storeCount, (i) => opened.store(memories[warmUpStoreCount + i]));
  const saveMs = opened.save === undefined ? null : (await timeOwnWork(embedder, 1, opened.save))[0];
  await opened.close();
  return { store: summarize(times), saveMs };
}
