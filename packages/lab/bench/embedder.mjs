/** The bundled embedder: what a text costs, and what commits and recalls cost end to end. */
import { readFileSync } from "node:fs";
import { Mnemosyne } from "mnemosyne-edge";
import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
import { everything } from "./commit-recall.mjs";
import { readDemoConversations, readDemoQuestions } from "./demo.mjs";
import { collectGarbage, person, summarize, timeEach } from "./harness.mjs";

const ways = ["portable", "fast"];
export const warmUpCount = 10;

/** Both ways to run the model, alternating text by text, so that other load on the machine affects both alike. */
export async function measureEmbedder({ textCount, comparedCount }) {
  const embedders = Object.fromEntries(ways.map((way) => [way, createEmbedder(way)]));
  const measured = {};
  for (const [kind, texts] of Object.entries(readTexts())) {
    measured[kind] = { wordCount: summarize(texts.map((text) => text.split(/\s+/u).length)).median };
    const times = { portable: [], fast: [] };
    for (let i = 0; i < warmUpCount + textCount; i++) {
      for (const way of ways) {
        const [ms] = await timeEach(1, () => embedders[way].embed([`${texts[i % texts.length]} ${i}`]));
        if (i >= warmUpCount) times[way].push(ms);
      }
    }
    for (const way of ways) measured[kind][way] = summarize(times[way]);
  }
  const agreement = await compareVectors(embedders, readSentences().slice(0, comparedCount));
  for (const way of ways) await embedders[way].close();
  return { kinds: measured, agreement };
}

/** One way by itself: time to the first vector, and the memory used then, including a process it may have started. */
export async function measureEmbedderWay({ way }) {
  const bareByteCount = process.memoryUsage.rss();
  const embedder = createEmbedder(way);
  const [loadMs] = await timeEach(1, () => embedder.embed(["The first text loads the model."]));
  await timeEach(warmUpCount, (i) => embedder.embed([`A text to work on, number ${i}.`]));
  await collectGarbage();
  const byteCount = process.memoryUsage.rss() - bareByteCount + readChildrenBytes();
  await embedder.close();
  return { way, loadMs, byteCount };
}

function createEmbedder(way) {
  return new BundledEmbedder({ way });
}

/** Cosines between the two ways, and how many bytes differ in the vectors as the memory stores them. */
async function compareVectors(embedders, texts) {
  const cosines = [];
  let differentCount = 0;
  let codeCount = 0;
  for (const text of texts) {
    const [[a], [b]] = await Promise.all(ways.map((way) => embedders[way].embed([text])));
    cosines.push(product(a, b) / Math.sqrt(product(a, a) * product(b, b)));
    const [codesA, codesB] = [toCodes(a), toCodes(b)];
    differentCount += codesA.filter((code, i) => code !== codesB[i]).length;
    codeCount += codesA.length;
  }
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
  return { textCount: texts.length, min: Math.min(...cosines), mean, differentCount, codeCount };
}

function product(a, b) {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

/** One byte per component, the largest at 127. */
function toCodes(vector) {
  const largest = Math.max(...vector.map(Math.abs));
  return Array.from(vector, (value) => Math.round((value / largest) * 127));
}

/** Resident memory of this process's children, as Linux reports it; 0 elsewhere. */
function readChildrenBytes() {
  if (process.platform !== "linux") return 0;
  const ids = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ").filter(Boolean);
  return ids.reduce((sum, id) => {
    const [, kilobytes] = /VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${id}/status`, "utf8"));
    return sum + Number(kilobytes) * 1024;
  }, 0);
}

function readSentences() {
  const sentences = readDemoConversations().flatMap(({ turns }) =>
    turns.flatMap(({ text }) => text.split(/(?<=[.?!])\s+/u)),
  );
  return [...new Set(sentences)];
}

export function readTexts() {
  const conversations = readDemoConversations().map(({ turns }) => turns.map(({ text }) => text).join(" "));
  return {
    question: readDemoQuestions().map((query) => firstWords(query, 8)),
    sentence: readSentences().filter((text) => within(text, 10, 16)),
    "30 words": conversations.map((text) => firstWords(text, 30)),
    summary: conversations.map((text) => firstWords(text, 60)),
  };
}

function within(text, wordCountMin, wordCountMax) {
  const { length } = text.split(/\s+/u);
  return length >= wordCountMin && length <= wordCountMax;
}

function firstWords(text, count) {
  return text.split(/\s+/u).slice(0, count).join(" ");
}

/** The bundled embedder, with a count of the texts it embedded. */
class CountingEmbedder extends BundledEmbedder {
  textCount = 0;

  embed(texts) {
    this.textCount += texts.length;
    return super.embed(texts);
  }
}

/** The demo's conversations through the public API, with nothing left out. */
export async function measureEndToEnd({ path, commitCount }) {
  const embedder = new CountingEmbedder();
  const mnemosyne = await Mnemosyne.open({ path, embedder, parameters: everything, timeZone: "Europe/London" });
  const memory = mnemosyne.person(person);
  const conversations = readDemoConversations(commitCount + 1);
  // The first commit also loads the model and embeds the profile's examples, once per store.
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
  const questions = readDemoQuestions();
  const recalls = await timeEach(questions.length, (i) => memory.recall(questions[i], { seed: 1 }));
  await mnemosyne.close();
  return {
    firstCommitMs,
    commitCount,
    commitsPerSecond: (commitCount / commitsMs) * 1000,
    textsPerCommit,
    firstRecallMs: recalls[0],
    recall: summarize(recalls.slice(1)),
  };
}
