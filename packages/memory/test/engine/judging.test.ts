/** Verdicts on their way: few at a time, each asked for once, checked, and gone when something is forgotten. */
import { type Judge, ModelError, type Relation } from "mnemosyne-edge";
import { describe, expect, it, vi } from "vitest";
import { Judging } from "../../src/reader/reading-queue.js";
import { ModelTurns } from "../../src/engine/model-turns.js";
import { openMemories } from "../durability/opened-memories.js";
import { ScriptedJudge, surely } from "./scripted-judge.js";

describe("texts go to the judge", () => {
  it("four at a time, each once", async () => {
    const judge = new ScriptedJudge({ substance: (text) => Number(text) / 10 });
    const judging = new Judging(judge);
    expect(await judging.substance(["1", "2", "3", "2", "4", "5"])).toEqual([0.1, 0.2, 0.3, 0.2, 0.4, 0.5]);
    expect(judge.texts).toEqual([["1", "2", "3", "4"], ["5"]]);
    expect(await judging.substance(["5", "6", "1"])).toEqual([0.5, 0.6, 0.1]);
    expect(judge.texts.slice(2)).toEqual([["6"]]);
  });

  it("in turns, questions first and commitments now and then", async () => {
    const calls: { readonly text: string; readonly answer: () => void }[] = [];
    const noting = (answer: (text: string) => number) => async (texts: readonly string[]) => {
      await new Promise<void>((resolve) => calls.push({ text: texts[0]!, answer: resolve }));
      return texts.map(answer);
    };
    const judge = Object.assign(new ScriptedJudge(), {
      substance: noting(() => 1),
      relevance: (_: string, texts: readonly string[]) => noting(() => 0)(texts),
    });
    const judging = new Judging(judge, new ModelTurns());
    const names = (kind: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${kind} ${i}`);
    const asked = [
      ...names("commitment", 3).map((text) => judging.substance([text])),
      ...names("question", 9).map((text) => judging.relevance("Where?", [text])),
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

  it("and are told apart by task, by question and by which came first", async () => {
    const judge = new ScriptedJudge({
      substance: () => 0.1,
      relevance: (question) => (question === "Where?" ? 0.2 : 0.3),
      relation: ({ older }) => (older === "a" ? "update" : "repetition"),
    });
    const judging = new Judging(judge);
    expect(await judging.substance(["a"])).toEqual([0.1]);
    expect(await judging.relevance("Where?", ["a"])).toEqual([0.2]);
    expect(await judging.relevance("When?", ["a"])).toEqual([0.3]);
    expect(await judging.relation([{ older: "a", newer: "b" }], "commitment")).toEqual([surely("update")]);
    expect(await judging.relation([{ older: "b", newer: "a" }], "commitment")).toEqual([surely("repetition")]);
  });

  it("again once all verdicts are dropped, also those that somebody is waiting for", async () => {
    const judge = new ScriptedJudge({ substance: (text) => Number(text) / 10 });
    const judging = new Judging(judge);
    await judging.substance(["1"]);
    const waiting = judging.substance(["1", "2", "3", "4", "5", "6"]);
    judging.clearCache();
    expect(await waiting).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
    judging.clearCache();
    judge.texts.length = 0;
    await judging.substance(["1"]);
    expect(judge.texts).toEqual([["1"]]);
  });
});

describe("a bad verdict is refused, and asked for again", () => {
  const relation = (value: unknown): Partial<Judge> => ({ relation: async () => [value] as Relation[] });
  const substance = (value: unknown): Partial<Judge> => ({ substance: async () => value as number[] });
  it.each([
    ["none", substance([])],
    ["too many", substance([0.5, 0.5])],
    ["no list", substance(0.5)],
    ["more than sure", substance([1.01])],
    ["less than impossible", substance([-0.01])],
    ["no number", substance([NaN])],
    ["a text", substance(["0.5"])],
    ["no relation", relation(null)],
    ["a relation without a share", relation({ repetition: 0.5, update: 0.5 })],
    ["a relation beyond 1", relation({ repetition: 0, update: 1.5, different: 0 })],
  ])("%s", async (_, broken) => {
    const judge = new ScriptedJudge();
    const judging = new Judging(judge);
    const ask = (): Promise<unknown> =>
      "substance" in broken ? judging.substance(["a"]) : judging.relation([{ older: "a", newer: "b" }], "commitment");
    const whole = { substance: judge.substance.bind(judge), relation: judge.relation.bind(judge) };
    Object.assign(judge, broken);
    await expect(ask()).rejects.toMatchObject({
      code: "reader_failed",
      message: 'judge "scripted" did not return 1 verdicts from 0 to 1',
    });
    Object.assign(judge, whole);
    expect(await ask()).toEqual(["substance" in broken ? 1 : surely("different")]);
  });

  it("and an error is the judge's, with its cause", async () => {
    const judge = new ScriptedJudge();
    const cause = new Error("out of order");
    vi.spyOn(judge, "substance").mockRejectedValueOnce(cause);
    await expect(new Judging(judge).substance(["a"])).rejects.toMatchObject({ code: "reader_failed", cause });
    const own = new ModelError("embedder_failed", "the model is gone");
    vi.spyOn(judge, "substance").mockRejectedValueOnce(own);
    await expect(new Judging(judge).substance(["a"])).rejects.toBe(own);
  });
});

describe("a memory whose judge", () => {
  it("fails at relations keeps it there, too", async () => {
    const judge = new ScriptedJudge();
    const parameters = { relationCosineMin: -1 };
    const person = (await openMemories({ path: ":memory:", judge, parameters })).person("ada");
    await person.commit({ id: "a", summary: "The knee is better." });
    await person.settled();
    vi.spyOn(judge, "relation").mockRejectedValue(new Error("out of order"));
    await person.commit({ id: "b", summary: "The knee bends again." });
    await expect(person.settled()).rejects.toMatchObject({ code: "reader_failed" });
    expect((await person.history()).map(({ outcome }) => outcome)).toEqual(["committed", "queued"]);
    vi.restoreAllMocks();
    await person.settled();
    expect(await person.list()).toHaveLength(2);
  });

  it.each(["one", "everything"])("has judged something asks it again after forgetting %s", async (extent) => {
    const judge = new ScriptedJudge();
    const memories = await openMemories({ path: ":memory:", judge });
    const bea = memories.person("bea");
    await bea.commit({ id: "b", summary: "The garden blooms." });
    const ada = memories.person("ada");
    await ada.commit({ id: "a", summary: "The knee is better." });
    await memories.settled();
    const countAsked = async (): Promise<number> => {
      judge.statements.length = 0;
      await bea.recall("What blooms?");
      return judge.statements.length;
    };
    expect(await countAsked()).toBe(1);
    expect(await countAsked()).toBe(0);
    await (extent === "one" ? ada.forget(["a"]) : ada.forgetAll());
    expect(await countAsked()).toBe(1);
  });
});
