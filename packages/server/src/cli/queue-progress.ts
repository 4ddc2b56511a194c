/** Shows how many of the queued interactions are processed, until all are processed. */
import type { PersonMemory } from "mnemosyne-edge";
import { startProgress } from "./terminal.js";

const pollMs = 250;

export async function showProcessing(memory: PersonMemory, settled: Promise<void>): Promise<void> {
  const countQueued = (): Promise<number> => memory.statistics().then(({ outcomes }) => outcomes.queued ?? 0);
  const total = await countQueued();
  const progress = startProgress("processing", total);
  let isDone = false;
  const finish = settled.finally(() => (isDone = true));
  const poll = async (): Promise<void> => {
    while (!isDone) {
      progress.update(total - (await countQueued()));
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  };
  try {
    await Promise.all([finish, poll()]);
  } finally {
    progress.stop();
  }
}
