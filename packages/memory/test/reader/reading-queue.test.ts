/** Verdicts on their way: few at a time, each asked for once, checked, and gone when something is forgotten. */
import { ModelError, type Reader, type Reading, type Relation } from "mnemosyne-edge";
import { describe, expect, it, vi } from "vitest";
import { ModelTurns } from "../../src/engine/model-turns.js";
import { ReadingQueue, logOdds } from "../../src/reader/reading-queue.js";
import { openMemories } from "../durability/opened-memories.js";
import { ScriptedReader, surely } from "../engine/scripted-reader.js";

const alone = (text: string) => ({ text, before: null });
const factsOf = async (queue: ReadingQueue, texts: readonly string[]): Promise<number[]> =>
  (await queue.read(texts.map(alone))).map(({ fact }) => fact);
/** A fact as surely as its text says, in percent. */
const percentReader = (): ScriptedReader => new ScriptedReader({ read: (text) => ({ fact: Number(text) / 100 }) });
const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i + 1));

describe("statements go to the reader", () => {
  it("sixteen at a time, each once", async () => {
    const reader = percentReader();
    const queue = new ReadingQueue(reader);
    const texts = numbers(20);
    expect(await factsOf(queue, [...texts, "2"])).toEqual([...texts, "2"].map((text) => Number(text) / 100));
    expect(reader.statements.map((some) => some.map(({ text }) => text))).toEqual([
      texts.slice(0, 16),
      texts.slice(16),
    ]);
    expect(await factsOf(queue, ["20", "21", "1"])).toEqual([0.2, 0.21, 0.01]);
    expect(reader.statements.slice(2)).toEqual([[alone("21")]]);
  });

  it("in turns with the questions of others on its model, which go first, and commitments now and then", async () => {
    const calls: { readonly text: string; readonly answer: () => void }[] = [];
    const note = (text: string): Promise<void> => new Promise((resolve) => calls.push({ text, answer: resolve }));
    const reader = new ScriptedReader();
    const noting: Partial<Reader> = {
      read: async (statements) => {
        await note(statements[0]!.text);
        return new ScriptedReader().read(statements);
      },
    };
    const turns = new ModelTurns();
    const queue = new ReadingQueue(Object.assign(reader, noting), { turns });
    const names = (kind: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${kind} ${i}`);
    const asked = [
      ...names("commitment", 3).map((text) => queue.read([alone(text)])),
      ...names("question", 9).map((text) => turns.run("question", () => note(text))),
    ];
    for (let n = 0; n < asked.length; n++) {
      await new Promise((resolve) => setImmediate(resolve));
      expect(calls).toHaveLength(n + 1);
      calls[n]!.answer();
    }
    await Promise.all(asked);
    const [first, ...others] = names("commitment", 3);
    const order = [...names("question", 7), first, "question 7", "question 8", ...others];
    expect(calls.map(({ text }) => text)).toEqual(order);
  });

  it("and are told apart by task, by what stands before, and by which came first", async () => {
    const reader = new ScriptedReader({
      read: (_, before) => ({ fact: before === null ? 0.1 : 0.4 }),
      relate: ({ older }) => (older === "a" ? "ends" : "repeats"),
    });
    const queue = new ReadingQueue(reader);
    expect(await factsOf(queue, ["a"])).toEqual([0.1]);
    expect(await queue.read([{ text: "a", before: "b" }])).toMatchObject([{ fact: 0.4 }]);
    expect(await queue.relate([{ older: "a", newer: "b" }])).toEqual([surely("ends")]);
    expect(await queue.relate([{ older: "b", newer: "a" }])).toEqual([surely("repeats")]);
  });

  it("again once all verdicts are dropped, also those that somebody is waiting for", async () => {
    const reader = percentReader();
    const queue = new ReadingQueue(reader);
    await factsOf(queue, ["1"]);
    const waiting = factsOf(queue, numbers(20));
    queue.clearCache();
    expect(await waiting).toEqual(numbers(20).map((text) => Number(text) / 100));
    queue.clearCache();
    reader.statements.length = 0;
    await factsOf(queue, ["1"]);
    expect(reader.statements).toEqual([[alone("1")]]);
  });
});

describe("a bad verdict is refused, and asked for again", () => {
  const good: Reading = { fact: 1, about: "self", area: "home", lasting: 1, alone: 1 };
  const read = (value: unknown): Partial<Reader> => ({ read: async () => value as Reading[] });
  const relate = (value: unknown): Partial<Reader> => ({ relate: async () => [value] as Relation[] });
  it.each<[string, Partial<Reader>]>([
    ["none", read([])],
    ["too many", read([good, good])],
    ["no list", read(good)],
    ["more than sure", read([{ ...good, fact: 1.01 }])],
    ["less than impossible", read([{ ...good, fact: -0.01 }])],
    ["no number", read([{ ...good, fact: NaN }])],
    ["a text", read([{ ...good, fact: "0.5" }])],
    ["no reading", read([null])],
    ["a reading without a probability", read([{ ...good, alone: undefined }])],
    ["a reading beyond 1", read([{ ...good, lasting: 1.5 }])],
    ["a reading of nobody known", read([{ ...good, about: "them" }])],
    ["a reading of an unknown area", read([{ ...good, area: "shoes" }])],
    ["no relation", relate(null)],
    ["a relation without a share", relate({ repeats: 0.5, ends: 0.5 })],
    ["a relation beyond 1", relate({ repeats: 0, ends: 1.5, other: 0 })],
  ])("%s", async (_, broken) => {
    const reader = new ScriptedReader();
    const queue = new ReadingQueue(reader);
    const ask = (): Promise<unknown> =>
      "read" in broken ? queue.read([alone("a")]) : queue.relate([{ older: "a", newer: "b" }]);
    const whole = { read: reader.read.bind(reader), relate: reader.relate.bind(reader) };
    Object.assign(reader, broken);
    await expect(ask()).rejects.toMatchObject({
      code: "reader_failed",
      message: 'reader "scripted" did not return 1 verdicts from 0 to 1',
    });
    Object.assign(reader, whole);
    await ask();
  });

  it("and an error is the reader's, with its cause", async () => {
    const reader = new ScriptedReader();
    const cause = new Error("out of order");
    vi.spyOn(reader, "read").mockRejectedValueOnce(cause);
    await expect(new ReadingQueue(reader).read([alone("a")])).rejects.toMatchObject({ code: "reader_failed", cause });
    const own = new ModelError("embedder_failed", "the model is gone");
    vi.spyOn(reader, "read").mockRejectedValueOnce(own);
    await expect(new ReadingQueue(reader).read([alone("a")])).rejects.toBe(own);
  });
});

describe("a memory whose reader", () => {
  it.each(["read", "relate"] as const)("fails to %s keeps the interaction in the queue", async (task) => {
    const reader = new ScriptedReader();
    const person = (await openMemories({ path: ":memory:", reader })).person("ada");
    await person.commit({ id: "a", summary: "The knee is better." });
    await person.settled();
    vi.spyOn(reader, task).mockRejectedValue(new Error("out of order"));
    await person.commit({ id: "b", summary: "The knee is better again." });
    await expect(person.settled()).rejects.toMatchObject({ code: "reader_failed" });
    expect((await person.history()).map(({ outcome }) => outcome)).toEqual(["committed", "queued"]);
    vi.restoreAllMocks();
    await person.settled();
    expect(await person.list()).toHaveLength(2);
  });

  it.each(["one", "everything"])("was asked something is asked it again after forgetting %s", async (extent) => {
    const reader = new ScriptedReader();
    const memories = await openMemories({ path: ":memory:", reader });
    const bea = memories.person("bea");
    const ada = memories.person("ada");
    await ada.commit({ id: "a", summary: "The knee is better." });
    await memories.settled();
    let count = 0;
    const countAsked = async (): Promise<number> => {
      reader.statements.length = 0;
      await bea.commit({ id: `b${count++}`, summary: "The garden blooms." });
      await memories.settled();
      return reader.statements.length;
    };
    expect(await countAsked()).toBe(1);
    expect(await countAsked()).toBe(0);
    await (extent === "one" ? ada.forget(["a"]) : ada.forgetAll());
    expect(await countAsked()).toBe(1);
  });
});

it("no verdict is quite certain", () => {
  expect(logOdds(1)).toBeCloseTo(Math.log(9_999), 6);
  expect(logOdds(0)).toBeCloseTo(-Math.log(9_999), 6);
  expect(logOdds(0.5)).toBe(0);
});
