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

/** The bundled embedder, with a count of the texts it was given. */
class CountingEmbedder extends MiniLmEmbedder {
  textCount = 0;

  embed(texts) {
    this.textCount += texts.length;
    return super.embed(texts);
  }
}

/** The demo's conversations through the front door, with nothing left out. */
export async function measureEndToEnd({ path, commitCount }) {
  const embedder = new CountingEmbedder();
  const mnemosyne = await Mnemosyne.open({ path, embedder, parameters: everything, timeZone: "Europe/London" });
  const memory = mnemosyne.person(person);
  const conversations = readDemoConversations(commitCount + 1);
  // The first also loads the model and embeds the profile's examples, once in a store's life.
  const [firstCommitMs] = await timeEach(1, async () => {
    await memory.commit(conversations[0]);
    await memory.settled();
  });
  embedder.textCount = 0;
  const [commitsMs] = await timeEach(1, async () => {
    for (const conversation of conversations.slice(1)) await memory.commit(conversation);
    await memory.settled();
  });
  const textsPerCommit = embedder.textCount / commitCount;
  const recalls = await measureRecalls(memory, embedder);
  await mnemosyne.close();
  const settled = recalls.filter(({ textCount }) => textCount === 1);
  return {
    firstCommitMs,
    commitCount,
    commitsPerSecond: (commitCount / commitsMs) * 1000,
    textsPerCommit,
    firstRecallMs: recalls[0].ms,
    firstRecallTextCount: recalls[0].textCount,
    recall: summarize(settled.map(({ ms }) => ms)),
  };
}

/** The first recalls also embed the times of memories; they are kept, so later ones embed the question alone. */
async function measureRecalls(memory, embedder) {
  const recalls = [];
  for (const question of readDemoQuestions()) {
    embedder.textCount = 0;
    const [ms] = await timeEach(1, () => memory.recall(question, { seed: 1 }));
    recalls.push({ ms, textCount: embedder.textCount });
  }
  return recalls;
}
