/** A small database that holds one of everything that a store keeps. */
import { Mnemosyne, type MnemosyneOptions, type PersonMemory } from "mnemosyne-edge";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { noChange } from "../../src/core/graph/memory-node.js";
import { readPages } from "../../src/engine/records/person-data.js";
import { exportLines } from "./export-lines.js";
import { discardEverything, interactionAt, laboratory } from "./laboratory.mjs";

const richPerson = "Zoë";
const metadata = { agent: "naïve 漢字", tags: ["garden", "plums"], count: 2.5, isDone: false };

/** Fills a file with memories of Zoë and bea; returns the lines of Zoë's export. */
export async function fillRichDatabase(options: { path: string; encryptionKey?: string }): Promise<string[]> {
  await useMemory({ ...options, parameters: discardEverything }, (zoe) => zoe.commit(interactionAt(61)));
  await useMemory(options, async (zoe, memories) => {
    for (let position = 0; position < 24; position++) await zoe.commit(interactionAt(position));
    await zoe.settled();
    await zoe.prune({ memoryCountMax: 12 });
    const [pruned] = await zoe.history({ outcomes: ["pruned"] });
    await zoe.restore(pruned!.id);
    await zoe.settled();
    await zoe.forget("i003");
    const conversation = await zoe.conversation({ id: "a talk", state: "talkative" });
    await conversation.add({ who: "user", text: "The plums are ripe, naïve as it sounds: 漢字 🧠." });
    await memories.person("bea").commit(interactionAt(2));
    const [first, second] = await zoe.list();
    await zoe.commit({ ...interactionAt(30), keep: true, updates: second!.id });
    await zoe.commit({ ...interactionAt(31), keep: true, metadata, expiresAt: "2900-01-01T00:00:00Z" });
    await zoe.settled();
    await zoe.update("i031", { metadata: { edited: true } });
    await zoe.pin(first!.id, "home");
  });
  await addFactsAndTokens(options);
  return useMemory(options, exportLines);
}

async function useMemory<Result>(
  options: MnemosyneOptions,
  work: (zoe: PersonMemory, memories: Mnemosyne) => Promise<Result>,
): Promise<Result> {
  const memories = await Mnemosyne.open(laboratory(options));
  try {
    return await work(memories.person(richPerson), memories);
  } finally {
    await memories.settled();
    await memories.close();
  }
}

/** Without a judge and a language model nothing writes these. */
async function addFactsAndTokens(options: { path: string }): Promise<void> {
  const store = await SqliteStore.open(options);
  const snapshot = await store.load(richPerson);
  const { change } = await readPages(snapshot);
  const [first, second] = change.putNodes.toSorted((x, y) => x.node.initMs - y.node.initMs);
  const facts = [{ text: first!.node.summaryText, area: "habits", probability: 0.8125 }];
  const asked = { ...first!.node, facts, questions: ["What does she do?"] };
  const tokens = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 7) % 256);
  const putNodes = [
    { ...first!, node: asked, questionVectors: [first!.summaryVector], tokenBytes: tokens(5_000) },
    { ...second!, tokenBytes: tokens(300) },
  ];
  await store.apply(richPerson, {
    baseRevision: snapshot.revision,
    change: { ...noChange, putNodes },
    outcomes: [],
    forgetInteractions: [],
    coreSummary: { ...snapshot.coreSummary!, facts: JSON.stringify(facts) },
  });
  await store.close();
}
