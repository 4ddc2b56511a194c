/** The bundled embedder: what a text costs, and what that makes of commits and recalls from end to end. */
import { Mnemosyne } from "mnemosyne-edge";
import { MiniLmEmbedder } from "mnemosyne-edge/embedder/minilm";
import { everything } from "./commit-recall.mjs";
import { readDemoConversations, readDemoQuestions } from "./demo.mjs";
import { person, summarize, timeEach } from "./harness.mjs";

export async function measureEmbedder({ textCount }) {
  const conversations = readDemoConversations();
  const sentences = conversations.flatMap(({ turns }) => turns.flatMap(({ text }) => text.split(/(?<=[.?!])\s+/u)));
  const texts = {
    question: readDemoQuestions().map((query) => query.split(" ").slice(0, 8).join(" ")),
    sentence: sentences.filter((text) => within(text, 10, 16)),
    summary: conversations.map(({ turns }) => firstWords(turns.map(({ text }) => text).join(" "), 60)),
  };
  const embedder = new MiniLmEmbedder();
  const [loadMs] = await timeEach(1, () => embedder.embed(["The first text loads the model."]));
  await timeEach(10, (i) => embedder.embed([texts.sentence[i]]));
  const measured = {};
  for (const [kind, ofKind] of Object.entries(texts)) {
    const times = await timeEach(textCount, (i) => embedder.embed([`${ofKind[i % ofKind.length]} ${i}`]));
    const wordCounts = ofKind.map((text) => text.split(/\s+/u).length);
    measured[kind] = { ...summarize(times), wordCount: summarize(wordCounts).median };
  }
  await embedder.close();
  return { loadMs, ...measured };
}

function within(text, wordCountMin, wordCountMax) {
  const { length } = text.split(/\s+/u);
  return length >= wordCountMin && length <= wordCountMax;
}

function firstWords(text, count) {
  return text.split(/\s+/u).slice(0, count).join(" ");
}

/** The demo's conversations through the front door, with nothing left out. */
export async function measureEndToEnd({ path, commitCount }) {
  const mnemosyne = await Mnemosyne.open({ path, parameters: everything, timeZone: "Europe/London" });
  const memory = mnemosyne.person(person);
  const conversations = readDemoConversations(commitCount + 1);
  // The first also loads the model and embeds the profile's examples, once in a store's life.
  const [firstCommitMs] = await timeEach(1, async () => {
    await memory.commit(conversations[0]);
    await memory.settled();
  });
  const [commitsMs] = await timeEach(1, async () => {
    for (const conversation of conversations.slice(1)) await memory.commit(conversation);
    await memory.settled();
  });
  const questions = readDemoQuestions();
  // Until every memory has a vector of its time, each recall embeds some of them.
  const recalls = [];
  let refreshedCount = 0;
  for (const question of questions) {
    const [ms] = await timeEach(1, async () => {
      const { trace } = await memory.recall(question, { seed: 1 });
      refreshedCount = trace.naturalizedTimes.refreshedCount;
    });
    recalls.push({ ms, refreshedCount });
  }
  await mnemosyne.close();
  const msOf = (isRefreshing) =>
    recalls.filter((recall) => recall.refreshedCount > 0 === isRefreshing).map(({ ms }) => ms);
  return {
    firstCommitMs,
    commitCount,
    commitsPerSecond: (commitCount / commitsMs) * 1000,
    recall: summarize(msOf(false)),
    recallRefreshing: summarize(msOf(true)),
    refreshedCount: Math.max(...recalls.map((recall) => recall.refreshedCount)),
  };
}
