import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ModelAnswer } from "../../src/engine/parts.js";
import { ModelCalls } from "../../src/model/model-calls.js";
import type { LanguageModelRequest } from "../../src/ports/language-model.js";

const limits = { modelConcurrencyMax: 2, modelTimeBudgetSeconds: 60, modelRestSeconds: 0 };

function callsOf(
  complete: (request: LanguageModelRequest) => Promise<string>,
  changed: Partial<typeof limits> = {},
): ModelCalls {
  return new ModelCalls({ name: "scripted", complete }, { ...limits, ...changed });
}

function ask(calls: ModelCalls): Promise<ModelAnswer<number>> {
  return calls.ask({
    step: "commitment",
    instruction: "Reply.",
    text: "text",
    schema: {},
    read: ({ a }) => {
      if (typeof a !== "number") throw new Error('"a" is no number');
      return a;
    },
  });
}

describe("a call", () => {
  it("that is answered as asked is one call", async () => {
    const calls = callsOf(async () => '{"a": 1}');
    expect(await ask(calls)).toEqual({
      value: 1,
      trace: { step: "commitment", how: "as asked", repairs: [], failure: null },
    });
  });

  it("with an unusable reply is made once more, with the reason; what then comes counts", async () => {
    const texts: string[] = [];
    const replies = ['{"a": "x"}', '{"a": 2}'];
    const calls = callsOf(async ({ text }) => {
      texts.push(text);
      return replies[texts.length - 1]!;
    });
    expect(await ask(calls)).toEqual({
      value: 2,
      trace: { step: "commitment", how: "retried", repairs: [], failure: '"a" is no number' },
    });
    expect(texts[1]).toContain('"a" is no number');
    expect(texts[1]!.startsWith("text")).toBe(true);
  });

  it("is never made a third time", async () => {
    let count = 0;
    const calls = callsOf(async () => `no JSON ${++count}`);
    expect((await ask(calls)).trace).toMatchObject({ how: "without model", failure: expect.stringContaining("JSON") });
    expect(count).toBe(2);
    expect(calls.counts).toEqual({ "as asked": 0, repaired: 0, retried: 0, "without model": 1 });
  });

  it("ends with its time budget, also when the model does not listen; the model is told", async () => {
    let signal: AbortSignal | undefined;
    const calls = callsOf(
      (request) => {
        ({ signal } = request);
        return new Promise(() => {});
      },
      { modelTimeBudgetSeconds: 0.02 },
    );
    const { value, trace } = await ask(calls);
    expect(value).toBeNull();
    expect(trace.failure).toContain("within 0.02 s");
    expect(signal!.aborted).toBe(true);
  });
});

it("no more calls are under way than allowed, and all get their turn", async () => {
  let active = 0;
  let most = 0;
  const calls = callsOf(async () => {
    most = Math.max(most, ++active);
    await new Promise((resolve) => setTimeout(resolve, 5));
    active--;
    return '{"a": 1}';
  });
  const answers = await Promise.all(Array.from({ length: 9 }, () => ask(calls)));
  expect(answers.every(({ value }) => value === 1)).toBe(true);
  expect(most).toBe(2);
});

describe("what is known of a model that fails", () => {
  const fails = (): Promise<string> => Promise.reject(new Error("connection refused"));

  it("is nothing before the first call, then its failures in a row, and nothing after an answer", async () => {
    let reply: () => Promise<string> = fails;
    const calls = callsOf(() => reply());
    expect(calls.silence).toBeNull();
    await ask(calls);
    expect(calls.silence).toEqual({ reason: "connection refused", usedUpTime: false, count: 1 });
    await ask(calls);
    expect(calls.silence).toEqual({ reason: "connection refused", usedUpTime: false, count: 2 });
    reply = async () => "no JSON";
    await ask(calls);
    expect(calls.silence).toBeNull();
    reply = () => new Promise(() => {});
    const hanging = callsOf(() => reply(), { modelTimeBudgetSeconds: 0.02 });
    await ask(hanging);
    expect(hanging.silence).toEqual({ reason: "no reply within 0.02 s", usedUpTime: true, count: 1 });
  });

  it("lets whoever wants it now ask one that failed at once, not one that used up its time", async () => {
    const calls = callsOf(fails, { modelRestSeconds: 60 });
    await ask(calls);
    expect(calls.isResting).toBe(true);
    calls.askAnyway();
    expect(calls.isResting).toBe(false);
    const hanging = callsOf(() => new Promise(() => {}), { modelTimeBudgetSeconds: 0.02, modelRestSeconds: 60 });
    await ask(hanging);
    hanging.askAnyway();
    expect(hanging.isResting).toBe(true);
  });

  it("rests twice as long each time, up to sixteen times as long, by a fake clock; an answer begins again", async () => {
    let nowMs = 1_000_000;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    onTestFinished(() => clock.mockRestore());
    let reply = fails;
    const calls = callsOf(() => reply(), { modelRestSeconds: 10 });
    const restsFor = async (): Promise<number> => {
      await ask(calls);
      let seconds = 0;
      for (; calls.isResting; seconds++) nowMs += 1_000;
      return seconds;
    };
    const rests: number[] = [];
    for (let tries = 0; tries < 6; tries++) rests.push(await restsFor());
    expect(rests).toEqual([10, 20, 40, 80, 160, 160]);
    reply = async () => '{"a": 1}';
    expect(await restsFor()).toBe(0);
    reply = fails;
    expect(await restsFor()).toBe(10);
  });

  it("hands its place on when it is done, whatever came of it", async () => {
    const calls = callsOf(fails, { modelConcurrencyMax: 1 });
    const answers = await Promise.all([ask(calls), ask(calls), ask(calls)]);
    expect(answers.map(({ trace }) => trace.how)).toEqual(Array.from({ length: 3 }, () => "without model"));
    expect((await ask(calls)).trace.failure).toBe("connection refused");
  });
});
