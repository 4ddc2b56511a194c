/**
 * The whole door against callers without types: whatever is given instead of what a method takes, it is refused with an
 * error of ours, nothing changes, and the message does not repeat what somebody said.
 */
import { type InteractionInput, Mnemosyne, MnemosyneError, type PersonMemory, parseParameters } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { crc32 } from "../../src/files/checksum.js";
import { exportEverybody } from "./export-lines.js";
import { HashingEmbedder } from "./hashing-embedder.mjs";
import { interactionAt, laboratory } from "./laboratory.mjs";

const canary = "Zanzibar told nobody about the amethyst";
const hasCanary = /Zanzibar|amethyst/u;

function thrower(): never {
  throw new Error("out of order");
}
const untold = { toString: thrower, toJSON: thrower, valueOf: thrower, [Symbol.toPrimitive]: thrower };

/** None of these is an object with fields. */
const noObjects: readonly unknown[] = [null, 5, canary, true, 5n, Symbol(canary), thrower];
/** Nor is any of these a text. */
const noInputs: readonly unknown[] = noObjects.filter((value) => value !== canary);
const noTexts: readonly unknown[] = [null, 5, true, 5n, Symbol(canary), {}, untold, [canary], ""];
const noFunctions: readonly unknown[] = [null, 5, canary, {}, untold];
const noProgress: readonly unknown[] = [null, 5, canary, untold, { onProgress: 5 }, { signal: {} }];
const noWholeNumbers: readonly unknown[] = [null, -1, 1.5, NaN, canary, 5n, {}, untold, Symbol(canary)];
const noLists: readonly unknown[] = [5, canary, {}, untold];

/** Options that are names of things, which an error may repeat while they are short. */
const namesThings: ReadonlySet<string> = new Set(
  ["embedder", "profile", "preset", "timeZone"].map((name) => `option ${name}`),
);

type Call = (memory: PersonMemory, memories: Mnemosyne) => unknown;
interface Case {
  readonly name: string;
  readonly calls: readonly Call[];
}

/** The call with each bad value. */
function each(
  name: string,
  values: readonly unknown[],
  call: (value: never, ...door: Parameters<Call>) => unknown,
): Case {
  return {
    name,
    calls: values.map(
      (value): Call =>
        (...door) =>
          call(value as never, ...door),
    ),
  };
}

const longText = `${canary}. `.repeat(10_000);
const saidBadly: readonly unknown[] = [
  { turns: canary },
  { turns: [canary] },
  { turns: [null] },
  // eslint-disable-next-line no-sparse-arrays -- a gap is the point
  { turns: [, { who: "user", text: canary }] },
  { turns: [untold] },
  { turns: [{ who: canary.repeat(9), text: "user" }] },
  { turns: [{ who: `${canary}\n`, text: canary }] },
  { turns: [{ who: "user", text: `${canary}\0` }] },
  { turns: [{ who: "user", text: `${canary} \ud800` }] },
  { turns: [{ who: "user", text: longText }] },
  { turns: Array.from({ length: 1_001 }, () => ({ who: "user", text: canary })) },
  { summary: longText },
  { summary: [canary] },
  { turns: [{ who: "user", text: "Hello.", [canary.slice(0, 4)]: canary }] },
  { messages: canary },
  { messages: [canary] },
  { messages: [], turns: [] },
  ...[[canary, canary], [null], [untold], [[canary]], [{ content: canary }]].flatMap((messages) => [
    messages,
    { messages },
  ]),
  ...[
    { role: 5, content: canary },
    { role: "user", content: 5 },
    { role: "user", content: {} },
    { role: "user", content: [null] },
    { role: "user", content: [{ type: "text" }] },
    { role: "user", parts: untold },
    { role: "user", content: `${canary}\0` },
    { role: "user", content: longText },
    { role: canary.repeat(9), content: "Hello." },
    { role: "assistant", tool_calls: 5 },
    { role: "system", content: canary },
    { speaker: "user", text: canary },
    { type: "human", content: canary },
  ].map((message) => [message]),
  { role: "user", content: canary },
  { content: canary },
  { text: `${canary}\0` },
  { text: longText },
  { text: 7 },
  { text: null },
  { text: [canary] },
  { text: "" },
  { message: canary },
  { summary: canary, sumary: canary },
  { summary: canary, at: canary },
  { summary: canary, at: untold },
  { summary: canary, state: longText },
  { summary: canary, state: `${canary}\n` },
  { summary: canary, id: longText },
  { summary: canary, id: `${canary}\n` },
  ...[null, 1, canary, {}, untold].map((keep) => ({ summary: canary, keep })),
  ...[null, 5, {}, untold, longText, [longText], [null], [[canary]], Array(17).fill("a")].map((updates) => ({
    summary: canary,
    updates,
  })),
  { summary: canary, id: "own", updates: "own" },
  { summary: " " },
];
const lines = [
  JSON.stringify({ type: "mnemosyne-export", version: 3, person: "x", embedder: { name: "y", dimensions: 4 } }),
];
const recordOf = (kind: string, text: string): string =>
  JSON.stringify({ kind, id: "a", layout: 1, sum: crc32(Buffer.from(text)), text });
const interactionOf = (initMs: unknown): string =>
  JSON.stringify([initMs, 0, [], "One.", null, false, false, [], {}, null, []]);
const badLines: readonly unknown[] = [
  [canary],
  [`{"summary": "${canary}`],
  [JSON.stringify([canary])],
  [JSON.stringify({ text: canary })],
  [JSON.stringify({ summary: 5, turns: canary })],
  [JSON.stringify({ turns: [canary] })],
  [JSON.stringify({ summary: canary, at: canary })],
  [JSON.stringify({ summary: longText })],
  [5],
  [null],
  [untold],
  [[canary]],
  [...lines, canary],
  [...lines, JSON.stringify({ type: longText })],
  [...lines, JSON.stringify({ kind: longText })],
  [...lines, JSON.stringify({ kind: "interaction", id: canary.repeat(9), layout: 1 })],
  [...lines, JSON.stringify({ kind: "interaction", id: "a", layout: canary, sum: 0, text: "" })],
  [...lines, JSON.stringify({ kind: "memory", id: "a", layout: 1, sum: 0, bytes: canary })],
  ...[canary, `[]\n${longText}\n`, `${interactionOf(0)}\nqueued\n${canary}`, `${interactionOf(canary)}\nqueued\n`].map(
    (text) => [...lines, recordOf("interaction", text)],
  ),
  [...lines, recordOf("links", canary)],
  [...lines, JSON.stringify({ type: "end", records: canary })],
];

const cases: readonly Case[] = [
  each("commit", [...noInputs, ...saidBadly], (input: InteractionInput, memory) => memory.commit(input)),
  each("commit's options", [...noObjects, { wiat: true }], (options: object, memory) =>
    memory.commit({ summary: canary }, options),
  ),
  each("commit's signal", [null, 5, canary, {}], (signal: AbortSignal, memory) =>
    memory.commit({ summary: canary }, { signal }),
  ),
  each("commitMany", [...noObjects, {}, untold], (inputs: [], memory) => memory.commitMany(inputs)),
  each("an item of commitMany", [...noInputs, ...saidBadly], async (input: InteractionInput, memory) => {
    await expect(memory.commitMany([{ summary: "One." }, input])).rejects.toThrow(/^item 2: /u);
    return memory.commitMany(new Set([input]));
  }),
  each("commitMany's options", [...noObjects, ...noProgress], (options: object, memory) =>
    memory.commitMany([], options),
  ),
  each("on's options", [...noObjects, { once: true }, { signal: 5 }], (options: object, memory) =>
    memory.on("core", () => {}, options),
  ),
  each("settled's options", [...noObjects, { signal: 5 }, { wait: 5 }], (options: object, memory) =>
    memory.settled(options),
  ),
  each("settled's options for all", [...noObjects, { signal: 5 }], (options: object, _, memories) =>
    memories.settled(options),
  ),
  each("wait", [null, 1, canary, {}, untold], (wait: true, memory) => memory.commit({ summary: canary }, { wait })),
  each("what is corrected", [...noTexts, longText], (id: string, memory) => memory.correct(id, canary)),
  each("a correction", [...noTexts, longText], (text: string, memory) => memory.correct("i000", text)),
  each("correct's options", [...noObjects, { keep: false }], (options: object, memory) =>
    memory.correct("i000", canary, options),
  ),
  each("an event", [...noTexts, longText], (event: "core", memory) => memory.on(event, () => {})),
  each("a listener", [undefined, ...noFunctions], (listener: () => void, _, memories) => memories.on("core", listener)),
  each("recall's question", [...noTexts, longText, `${canary}\0`], (query: string, memory) => memory.recall(query)),
  each("recall's options", [...noObjects, { budget: 400 }, { signal: 5 }], (options: object, memory) =>
    memory.recall("Who?", options),
  ),
  each("at", [null, canary, longText, {}, untold, 5n], (at: number, memory) => memory.recall("Who?", { at })),
  each("seed", [null, NaN, {}, untold, 5n, longText], (seed: number, memory) => memory.recall("Who?", { seed })),
  each("tokenBudget", noWholeNumbers, (tokenBudget: number, memory) => memory.recall("Who?", { tokenBudget })),
  each("conversation's options", [...noObjects, { name: "x" }], (options: object, memory) =>
    memory.conversation(options),
  ),
  each("conversation's id", [...noTexts, longText], (id: string, memory) => memory.conversation({ id })),
  each(
    "a turn that is added",
    [
      ...noInputs,
      { who: canary.repeat(9), text: "x" },
      { who: "user", text: longText },
      { role: "system", content: canary },
      { role: "user", content: 5 },
      { text: canary },
      [{ role: "user", content: canary }],
    ],
    async (turn: never, memory) => (await memory.conversation({ id: "talk" })).add(turn),
  ),
  each("coreSummary's options", [...noObjects, { upadte: true }], (options: object, memory) =>
    memory.coreSummary(options),
  ),
  each("update", [null, 1, canary], (update: boolean, memory) => memory.coreSummary({ update })),
  each("forget", [null, 5, {}, untold, "", longText, [[canary]], [longText], [null]], (ids: string, memory) =>
    memory.forget(ids),
  ),
  each("too many ids", [Array.from({ length: 100_001 }, () => "a")], (ids: string[], memory) => memory.forget(ids)),
  each("list's options", [...noObjects, { outdatd: true }], (options: object, memory) => memory.list(options)),
  each("outdated", [null, 1, canary], (outdated: boolean, memory) => memory.list({ outdated })),
  each("restore", [...noTexts, longText], (id: string, memory) => memory.restore(id)),
  each("a statement to restore", ["i000#0", "i000#99", "nobody#0"], (id: string, memory) => memory.restore(id)),
  each("pin", [null, 5, {}, untold, "", longText, "i000#99"], (id: string, memory) => memory.pin(id)),
  each("an area", [null, 5, longText, {}, untold], (area: string, memory) => memory.pin("i000", area)),
  each("unpin", [...noTexts, longText, "i000", "i000#0"], (id: string, memory) => memory.unpin(id)),
  each("withdraw", [...noTexts, longText, "i000#99"], (id: string, memory) => memory.withdraw(id)),
  each("a reason", [null, 5, canary, {}, untold], (reason: "untrue", memory) => memory.withdraw("i000", reason)),
  each("unlink", [...noTexts, longText, "i000", "i000#0"], (id: string, memory) => memory.unlink("i001", id)),
  each("get", [...noTexts, longText], (id: string, memory) => memory.get(id)),
  each("export's options", [...noObjects, { skip: true }, { skipDamaged: 1 }], (options: object, memory) =>
    memory.export(options).next(),
  ),
  each("refine", noProgress, (options: object, memory) => memory.refine(options)),
  each("prune's limits", [...noObjects, { countMax: 1 }], (limits: object, memory) => memory.prune(limits)),
  each("memoryCountMax", noWholeNumbers, (memoryCountMax: number, memory) => memory.prune({ memoryCountMax })),
  each("memoryBytesMax", noWholeNumbers, (memoryBytesMax: number, memory) => memory.prune({ memoryBytesMax })),
  each("history's selection", [...noObjects, { id: "i000" }], (selection: object, memory) => memory.history(selection)),
  each("history's ids", [null, ...noLists, [longText]], (ids: string[], memory) => memory.history({ ids })),
  each("outcomes", [null, ...noLists, [5]], (outcomes: [], memory) => memory.history({ outcomes })),
  each("import", [null, 5, canary, {}, untold, ...badLines], (given: string[], memory) => memory.import(given)),
  each("import's progress", noProgress, (options: object, memory) => memory.import([], options)),
  each("person", [undefined, ...noTexts, longText], (name: string, _, memories) => memories.person(name)),
  each("open", noObjects, (options: object) => Mnemosyne.open(options)),
  each("reembed", noObjects, (options: object) => Mnemosyne.reembed(options)),
  each("reembed's progress", noFunctions, (onProgress: () => void) =>
    Mnemosyne.reembed({ path: ":memory:" }, onProgress),
  ),
  ...Object.entries({
    path: noTexts.slice(0, -1),
    encryptionKey: noTexts.slice(0, -1),
    store: [null, 5, canary, {}, untold, { accept: thrower }],
    embedder: [null, 5, canary, {}, untold, { embed: thrower, close: thrower, identity: null }],
    reader: [null, 5, canary, true, {}, untold, { read: thrower, relate: thrower }],
    languageModel: [null, 5, canary, {}, untold],
    profile: [null, 5, canary, longText, {}, untold, { name: canary, categories: [null] }],
    preset: [null, 5, canary, longText, {}, untold, Symbol(canary)],
    parameters: [null, 5, canary, { [longText]: 1 }, { degreeMax: canary }, { degreeMax: untold }],
    clock: [null, 5, canary, {}, untold, { nowMs: 5 }],
    timeZone: [5, canary, longText, {}, untold, Symbol(canary)],
    countTokens: noFunctions,
    log: noFunctions,
  }).map(([name, values]) =>
    each(`option ${name}`, values, (value: unknown) =>
      Mnemosyne.open({ store: new MemoryStore(), embedder: new HashingEmbedder(), [name]: value }),
    ),
  ),
  each("parameters of parseParameters", [null, 5, canary], (given: object) => parseParameters(given)),
];

describe("refused with an error of ours, and nothing changes:", () => {
  let memories: Mnemosyne;
  let memory: PersonMemory;
  let before: unknown;
  beforeAll(async () => {
    memories = await Mnemosyne.open(laboratory({ path: ":memory:" }));
    memory = memories.person("ada");
    for (let position = 0; position < 3; position++) await memory.commit(interactionAt(position));
    await memory.settled();
    before = await exportEverybody(memories);
  });
  afterAll(() => memories.close());

  test.each(cases)("$name", async ({ name, calls }) => {
    for (const [position, call] of calls.entries()) {
      const error = await (async () => call(memory, memories))().then(
        () => "no error",
        (caught: unknown) => caught,
      );
      expect(error, `value ${position}`).toBeInstanceOf(MnemosyneError);
      expect((error as Error).message, `value ${position}`).not.toMatch(/out of order|Cannot|undefined \(/u);
      if (!namesThings.has(name)) expect(tell(error), `value ${position}`).not.toMatch(hasCanary);
    }
    expect(await exportEverybody(memories)).toEqual(before);
  });
});

/** An error as a log shows it, with its causes. */
function tell(error: unknown): string {
  return error instanceof Error ? `${error.message} ${tell(error.cause)}` : "";
}

test.each([
  [{ encriptionKey: "a key" }, /^the options have no "encriptionKey"; there are: path, encryptionKey, /u],
  [{ encryptionKey: undefined }, /^encryptionKey is undefined; leave it out for a store without encryption/u],
])("what would silently be left out is refused: %o", async (options, message) => {
  const given = laboratory({ path: ":memory:" });
  await expect(Mnemosyne.open({ ...given, ...options } as never)).rejects.toThrow(message);
});
