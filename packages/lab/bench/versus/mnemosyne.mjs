/** Mnemosyne through its public API: a recall with all cues and the text for the prompt, a commit until it is a memory. */
import { join } from "node:path";
import { openFilled } from "../commit-recall.mjs";
import { fill } from "../fill.mjs";
import { makeConversation } from "../synthetic.mjs";

const minuteMs = 60_000;
const fileName = "mnemosyne.db";

export const mnemosyne = {
  name: "Mnemosyne",
  packages: [],
  folder: "mnemosyne",
  /** The summary and each statement. */
  vectorsPerMemory: 1 + makeConversation(0).statements.length,
  /** The first round also warms up the code. */
  isAskedAgain: true,
  load() {},
  fill: (folder, count) => fill({ path: join(folder, fileName), count }),
  async open(folder, embedder) {
    const opened = await openFilled(join(folder, fileName), { coreSummaryIntervalCommits: 0 }, embedder);
    return {
      search: (question) => recall(opened, question),
      store: (memory) => commit(opened, memory),
      close: () => opened.mnemosyne.close(),
    };
  },
};

async function recall({ memory }, { text, seed }) {
  const { memories } = await memory.recall(text, { seed });
  return memories.map(({ id }) => numberOf(id));
}

/** Filled memories have their number as fingerprint. */
function numberOf(id) {
  return Number.parseInt(id.split("-").at(-1), 16);
}

async function commit({ memory, clock }, { turns }) {
  clock.advance(minuteMs);
  await memory.commit({ turns });
  await memory.settled();
}
