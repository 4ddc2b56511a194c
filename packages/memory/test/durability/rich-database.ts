/** A small database that holds one of everything that a store keeps. */
import { Mnemosyne, type MnemosyneOptions, type PersonMemory } from "mnemosyne-edge";
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { noChange } from "../../src/graph/memory-node.js";
import { packTokens } from "../../src/graph/vectors/token-vectors.js";
import { Records } from "../../src/engine/records/records.js";
import { readMoment } from "../../src/upkeep/transfer/person-moment.js";
import { Codec } from "../../src/stores/codec.js";
import { applyBatch } from "../engine/records/opened-records.js";
import { exportLines } from "./export-lines.js";
import { discardEverything, interactionAt, laboratory } from "./laboratory.mjs";

const richPerson = "Zoë";
const wordDimensions = 16;
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
  await addReadingsAndTokens(options);
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

/** Without a reader and a language model nothing writes these. */
async function addReadingsAndTokens({ path, encryptionKey }: { path: string; encryptionKey?: string }): Promise<void> {
  const store = await SqliteStore.open({ path });
  const codec = new Codec(encryptionKey);
  const { nodes } = await readMoment(richPerson, await Records.open(store, codec));
  const [first, second] = nodes.toSorted((x, y) => x.node.initMs - y.node.initMs);
  const reading = { fact: 0.8125, about: "self", area: "habits", lasting: 0.75, alone: 0.625 } as const;
  const statements = first!.node.statements.map((statement) => ({ ...statement, reading }));
  const asked = { ...first!.node, statements, questions: ["What does she do?"] };
  const tokens = (wordCount: number): Uint8Array =>
    packTokens([Float32Array.from({ length: wordCount * wordDimensions }, (_, i) => Math.sin(i))], wordDimensions);
  const putNodes = [
    { ...first!, node: asked, questionVectors: [first!.summaryVector], tokenBytes: tokens(1_250) },
    { ...second!, tokenBytes: tokens(75) },
  ];
  await applyBatch(store, { change: { ...noChange, putNodes } }, richPerson, codec);
  await store.close();
}
