/** Where a recall's and a commitment's time goes when nobody else asks: the models' share, by task. */
import { Mnemosyne } from "mnemosyne-edge";
import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";

const personCount = 20;
const memoryCount = 9;

/** Notes how long each kind of call took. */
class TimedEmbedder extends BundledEmbedder {
  spent = new Map();

  embedWords(texts) {
    return this.#timed("embedding", super.embedWords(texts));
  }

  embedAdapted(texts, task) {
    return this.#timed(task, super.embedAdapted(texts, task));
  }

  async #timed(name, work) {
    const startMs = performance.now();
    const result = await work;
    this.spent.set(name, (this.spent.get(name) ?? 0) + performance.now() - startMs);
    return result;
  }
}

export async function measureModels(talk) {
  const embedder = new TimedEmbedder();
  const mnemosyne = await Mnemosyne.open({ path: ":memory:", embedder });
  const persons = Array.from({ length: personCount }, (_, i) => mnemosyne.person(`person-${i}`));
  const timed = async (count, work) => {
    embedder.spent.clear();
    const startMs = performance.now();
    await work();
    const totalMs = (performance.now() - startMs) / count;
    const byTask = [...embedder.spent].map(([name, ms]) => [name, ms / count]);
    return { totalMs, byTask };
  };
  try {
    await persons[0].commit("The models are ready.", { wait: true });
    await persons[0].recall("Are they?");
    // One after the other: a call that waits for another would count its waiting.
    const commitment = await timed(personCount * memoryCount, async () => {
      for (let n = 0; n < memoryCount; n++) {
        for (const [i, person] of persons.entries()) await person.commit(talk.say(i, n), { wait: true });
      }
    });
    const recall = await timed(personCount, async () => {
      for (const [i, person] of persons.entries()) await person.recall(talk.ask(i, memoryCount));
    });
    return { title: talk.title, memoryCount, commitment, recall };
  } finally {
    await mnemosyne.close();
  }
}
