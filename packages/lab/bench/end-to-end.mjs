/**
 * A recall from question to context with the bundled embedder and the judge, compared with embedding the question alone:
 * where its time goes, in units that do not depend on the machine.
 */
import { Mnemosyne } from "mnemosyne-edge";
import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
import { readDemoQuestions } from "./demo.mjs";
import { person, summarize } from "./harness.mjs";
import { BenchClock } from "./synthetic.mjs";

const warmUpCount = 5;

/** By the clock, since most of the time another process works. */
async function timeMs(work) {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

/** The bundled model, with the time and the number of texts of each of its uses. */
class TimedModel extends BundledEmbedder {
  uses = {};

  embed(texts) {
    return this.#time("embedding", texts, () => super.embed(texts));
  }

  embedAdapted(texts, task) {
    return this.#time(task, texts, () => super.embedAdapted(texts, task));
  }

  async #time(use, texts, work) {
    let vectors;
    const spentMs = await timeMs(async () => (vectors = await work()));
    const { ms, textCount } = this.uses[use] ?? { ms: 0, textCount: 0 };
    this.uses[use] = { ms: ms + spentMs, textCount: textCount + texts.length };
    return vectors;
  }
}

/**
 * Embeds each question alone and recalls it, in turns, so that other load on the machine affects both alike. The store was
 * filled with `isSpoken`.
 */
export async function measureWholeRecalls({ path, count, judge }) {
  const embedder = new TimedModel();
  const clock = new BenchClock();
  const options = judge === false ? { judge } : {};
  const mnemosyne = await Mnemosyne.open({ path, embedder, clock, timeZone: "Europe/London", ...options });
  const memory = mnemosyne.person(person);
  const asked = [];
  for (const [i, question] of readDemoQuestions().entries()) {
    const aloneMs = await timeMs(() => embedder.embed([question]));
    embedder.uses = {};
    const recallMs = await timeMs(() => memory.recall(question, { seed: i }));
    const { uses } = embedder;
    embedder.uses = {};
    if (i >= warmUpCount) asked.push({ aloneMs, recallMs, uses });
  }
  await mnemosyne.close();
  return { count, judge: judge !== false, ...describeRecalls(asked) };
}

/** Means over all questions: parts of a sum stay parts. */
function describeRecalls(asked) {
  const mean = (valueOf) => asked.reduce((sum, each) => sum + valueOf(each), 0) / asked.length;
  const aloneMs = mean((each) => each.aloneMs);
  const parts = ["embedding", "area", "relevance", "relation"].map((use) => ({
    use,
    ratio: mean(({ uses }) => uses[use]?.ms ?? 0) / aloneMs,
    textCount: mean(({ uses }) => uses[use]?.textCount ?? 0),
  }));
  const ratio = mean(({ recallMs }) => recallMs) / aloneMs;
  const own = ratio - parts.reduce((sum, part) => sum + part.ratio, 0);
  return {
    alone: summarize(asked.map((each) => each.aloneMs)),
    recall: summarize(asked.map((each) => each.recallMs)),
    ratio,
    parts,
    own,
  };
}
