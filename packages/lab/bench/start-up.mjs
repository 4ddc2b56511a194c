/** From nothing to the first answer: a new process opens a filled store and recalls. */
import { makeQuestion } from "./synthetic.mjs";
import { openFilled } from "./commit-recall.mjs";

export async function measureStartUp({ path, count }) {
  const startMs = performance.now();
  const { mnemosyne, memory, embedder } = await openFilled(path);
  const openMs = performance.now() - startMs;
  const loadStartMs = performance.now();
  await memory.coreSummary();
  const loadMs = performance.now() - loadStartMs;
  const recallStartMs = performance.now();
  await memory.recall(makeQuestion(Math.floor(count / 2)), { seed: 1 });
  const firstRecallMs = performance.now() - recallStartMs - embedder.spentMs;
  await mnemosyne.close();
  return { count, openMs, loadMs, firstRecallMs, totalMs: openMs + loadMs + firstRecallMs };
}
