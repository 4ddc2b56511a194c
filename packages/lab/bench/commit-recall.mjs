/** Commit and recall on a filled store: how long the library's own work takes, without the embedder's time. */
import { Mnemosyne } from "mnemosyne-edge";
import { person, summarize, timeEach } from "./harness.mjs";
import { BenchClock, SyntheticEmbedder, makeConversation, makeQuestion } from "./synthetic.mjs";

const minuteMs = 60_000;
const warmUpCount = 10;
/** Commits submitted at once to measure throughput; a core summary is written after every tenth. */
const burstCount = 20;

export const everything = { substanceThreshold: -10 };

export async function openFilled(path, parameters = {}, embedder = new SyntheticEmbedder()) {
  const clock = new BenchClock();
  const mnemosyne = await Mnemosyne.open({
    path,
    embedder,
    reader: false,
    clock,
    parameters: { ...everything, ...parameters },
    timeZone: "Europe/London",
  });
  return { mnemosyne, memory: mnemosyne.person(person), embedder, clock };
}

/** Times each piece of work, without the embedder's time within it. */
export async function timeOwnWork(embedder, count, work) {
  const own = [];
  for (let i = 0; i < count; i++) {
    const spentMs = embedder.spentMs;
    const [ms] = await timeEach(1, () => work(i));
    own.push(ms - (embedder.spentMs - spentMs));
  }
  return own;
}

export async function measureCommitRecall({ path, count, recallCount, commitCount, coreSummaryCount }) {
  const opened = await openFilled(path, { coreSummaryIntervalCommits: 0 });
  const recalls = await measureRecalls(opened, count, recallCount);
  const commit = await measureCommits(opened, count, commitCount);
  await opened.mnemosyne.close();
  const burst = await measureBurst(path, count + commitCount + warmUpCount, coreSummaryCount);
  return { count, ...recalls, ...commit, ...burst };
}

/** Asks every question twice; the second time the code is warm. */
async function measureRecalls({ memory, embedder }, count, recallCount) {
  const recall = (i) => memory.recall(questionAt(i, count), { seed: i });
  const first = await timeOwnWork(embedder, recallCount, recall);
  const again = await timeOwnWork(embedder, recallCount, recall);
  return { recallFirst: summarize(first), recall: summarize(again) };
}

/** Questions spread over all memories. */
function questionAt(i, count) {
  return makeQuestion((i * 7919) % count);
}

/** One commit after the other: the time until it is on disk, and until it is a memory. */
async function measureCommits({ memory, embedder, clock }, count, commitCount) {
  const accepts = [];
  const commit = async (i) => {
    clock.advance(minuteMs);
    const { turns } = makeConversation(count + i);
    const startMs = performance.now();
    await memory.commit({ turns });
    accepts.push(performance.now() - startMs);
    await memory.settled();
  };
  for (let i = 0; i < warmUpCount; i++) await commit(i);
  accepts.length = 0;
  const times = await timeOwnWork(embedder, commitCount, (i) => commit(warmUpCount + i));
  return { accept: summarize(accepts), commit: summarize(times) };
}

/** Many at once, core summaries included; the first ones only warm up. */
async function measureBurst(path, firstNumber, coreSummaryCount) {
  const { mnemosyne, memory, embedder, clock } = await openFilled(path);
  const commitSome = async (from, to) => {
    for (let i = from; i < to; i++) {
      clock.advance(minuteMs);
      await memory.commit({ turns: makeConversation(firstNumber + i).turns });
    }
    await memory.settled();
  };
  await commitSome(0, warmUpCount);
  const [burstMs] = await timeOwnWork(embedder, 1, () => commitSome(warmUpCount, warmUpCount + burstCount));
  const times = await timeOwnWork(embedder, coreSummaryCount, () => memory.coreSummary({ update: true }));
  await mnemosyne.close();
  return { coreSummary: summarize(times), commitsPerSecond: (burstCount / burstMs) * 1000 };
}
