/** Shows how many interactions are still queued and how long they will take, until all are processed. */
import type { PersonMemory } from "../index.js";
import { startProgress } from "./terminal.js";

const pollMs = 250;

export async function showProcessing(memory: PersonMemory, settled: Promise<void>): Promise<void> {
  const countQueued = (): Promise<number> => memory.statistics().then(({ outcomes }) => outcomes.queued ?? 0);
  const total = await countQueued();
  const progress = startProgress("processing", total);
  const startMs = performance.now();
  let isDone = false;
  const finish = settled.finally(() => (isDone = true));
  const poll = async (): Promise<void> => {
    while (!isDone) {
      const done = total - (await countQueued());
      progress.update(done, describeTimeLeft(performance.now() - startMs, done, total));
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  };
  try {
    await Promise.all([finish, poll()]);
  } finally {
    progress.stop();
  }
}

/** "about 3 min left"; nothing before there is something to go by. */
export function describeTimeLeft(elapsedMs: number, doneCount: number, totalCount: number): string {
  if (doneCount <= 0 || doneCount >= totalCount) return "";
  const seconds = Math.ceil(((elapsedMs / doneCount) * (totalCount - doneCount)) / 1000);
  if (seconds < 60) return `about ${seconds} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `about ${minutes} min left` : `about ${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}
