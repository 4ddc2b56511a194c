/** How long the caller's event loop is blocked while the memory works in the background. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Mnemosyne } from "mnemosyne-edge";
import { everything, openFilled } from "./commit-recall.mjs";
import { readDemoConversations } from "./demo.mjs";
import { person, readProcessorTimes, summarize } from "./harness.mjs";
import { makeConversation, makeQuestion } from "./synthetic.mjs";

const minuteMs = 60_000;
/** Numbers of conversations that no other benchmark has committed. */
const eventLoopOffset = 1_000_000;
const nanosecondsPerMs = 1e6;
const timerMs = 1;
/** Linux counts the time a thread has run in steps of up to this. */
const processorTickMs = 4;

/**
 * Measures, from one tick of a timer to the next, how long the event loop was busy, so that nothing else could run. Only
 * time in which this thread had a processor counts (where the system reports it), not time in which other programs kept it
 * from running. A synthetic embedder works on this thread and does not count. Node's own monitor serves as a cross-check.
 */
export class EventLoopProbe {
  #embedder;
  #blocks = [];
  #isRunning = true;
  #monitor = monitorEventLoopDelay({ resolution: timerMs });
  #last;

  constructor(embedder = { spentMs: 0 }) {
    this.#embedder = embedder;
    this.#last = this.#read();
    this.#monitor.enable();
    this.#schedule();
  }

  stop() {
    this.#note();
    this.#isRunning = false;
    this.#monitor.disable();
    return {
      longest: Math.max(...this.#blocks),
      above5Ms: this.#blocks.filter((ms) => ms > 5).length,
      above20Ms: this.#blocks.filter((ms) => ms > 20).length,
      monitorP99: this.#monitor.percentile(99) / nanosecondsPerMs,
      monitorMax: this.#monitor.max / nanosecondsPerMs,
    };
  }

  #schedule() {
    setTimeout(() => {
      if (!this.#isRunning) return;
      this.#note();
      this.#schedule();
    }, timerMs);
  }

  #note() {
    const now = this.#read();
    const busyMs = now.activeMs - this.#last.activeMs;
    const ranMs = this.#last.ranMs === null ? Infinity : now.ranMs - this.#last.ranMs + processorTickMs;
    this.#blocks.push(Math.max(0, Math.min(busyMs, ranMs) - (now.embedderMs - this.#last.embedderMs)));
    this.#last = now;
  }

  #read() {
    const { active } = performance.eventLoopUtilization();
    const ranMs = readProcessorTimes()?.ranMs ?? null;
    return { activeMs: active, ranMs, embedderMs: this.#embedder.spentMs };
  }
}

/** The machine's own noise: the probe while idle. */
export async function measureIdle({ seconds }) {
  const probe = new EventLoopProbe();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return { name: "nothing (noise of the machine)", ...probe.stop() };
}

/** Commits of real text with the bundled embedder. */
export async function measureRealCommits({ path, commitCount }) {
  const mnemosyne = await Mnemosyne.open({ path, parameters: everything, timeZone: "Europe/London" });
  const memory = mnemosyne.person(person);
  const conversations = readDemoConversations(commitCount);
  await memory.commit(conversations[0]);
  await memory.settled();
  const probe = new EventLoopProbe();
  const startMs = performance.now();
  for (const conversation of conversations.slice(1)) await memory.commit(conversation);
  await memory.settled();
  const result = { name: `${commitCount} commits into an empty store, bundled embedder`, ...probe.stop() };
  const seconds = (performance.now() - startMs) / 1000;
  await mnemosyne.close();
  return { ...result, seconds };
}

/** Commits on top of many memories, core summaries included, with recalls at the same time. */
export async function measureFilledCommits({ path, count, commitCount }) {
  const { mnemosyne, memory, clock, embedder } = await openFilled(path);
  await memory.recall(makeQuestion(1), { seed: 1 });
  await commitAll(memory, clock, count + eventLoopOffset - 1, 1);
  const probe = new EventLoopProbe(embedder);
  const startMs = performance.now();
  await commitAll(memory, clock, count + eventLoopOffset, commitCount);
  const result = { name: `${commitCount} commits on top of ${count.toLocaleString("en-US")}`, ...probe.stop() };
  const seconds = (performance.now() - startMs) / 1000;
  const recallBeside = await measureRecallBeside(memory, clock, count + eventLoopOffset + commitCount, commitCount);
  await mnemosyne.close();
  return { ...result, seconds, recallBeside };
}

async function commitAll(memory, clock, firstNumber, commitCount) {
  for (let i = 0; i < commitCount; i++) {
    clock.advance(minuteMs);
    await memory.commit({ turns: makeConversation(firstNumber + i).turns });
  }
  await memory.settled();
}

/** How long a recall takes while commits are being processed. */
async function measureRecallBeside(memory, clock, firstNumber, commitCount) {
  let isRunning = true;
  const commits = commitAll(memory, clock, firstNumber, commitCount).finally(() => (isRunning = false));
  const times = [];
  for (let i = 0; isRunning; i++) {
    const startMs = performance.now();
    await memory.recall(makeQuestion(i), { seed: i });
    times.push(performance.now() - startMs);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await commits;
  return summarize(times);
}
