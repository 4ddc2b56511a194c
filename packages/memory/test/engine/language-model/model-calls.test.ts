import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type ModelAnswer, ModelCalls } from "../../../src/engine/language-model/model-calls.js";
import { MemoryStore } from "../../../src/adapters/store/memory/store.js";
import { RestNote } from "../../../src/engine/language-model/rest-note.js";
import type { LanguageModelRequest } from "../../../src/ports/language-model.js";
import type { Store } from "../../../src/ports/store.js";

const limits = { modelConcurrencyMax: 2, modelTimeBudgetSeconds: 60, modelRestSeconds: 0 };

function callsOf(
  complete: (request: LanguageModelRequest) => Promise<string>,
  changed: Partial<typeof limits> = {},
): ModelCalls {
  return new ModelCalls({ name: "scripted", complete }, { ...limits, ...changed });
}

function ask(calls: ModelCalls, withinSeconds?: number): Promise<ModelAnswer<number>> {
  return calls.ask({
    ...(withinSeconds === undefined ? {} : { withinSeconds }),
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

  it("to a caller without types that gives no text is a failure like any other", async () => {
    const calls = callsOf((async () => ({ a: 1 })) as unknown as () => Promise<string>);
    expect((await ask(calls)).trace.failure).toBe("the reply is not text");
    const throwing = callsOf((() => {
      throw new Error("at once");
    }) as () => Promise<string>);
    expect((await ask(throwing)).trace.failure).toBe("at once");
  });
});

describe("a call that somebody waits for", () => {
  it("is made once, whatever comes", async () => {
    let count = 0;
    const calls = callsOf(async () => `no JSON ${++count}`);
    expect((await ask(calls, 60)).trace).toMatchObject({ how: "without model", repairs: [] });
    expect(count).toBe(1);
  });

  it("is over when its own time is, and leaves the model to other steps", async () => {
    const replies = [() => new Promise<string>(() => {}), () => Promise.reject(new Error("refused"))];
    const signals: AbortSignal[] = [];
    const calls = callsOf(
      ({ signal }) => {
        signals.push(signal!);
        return replies.shift()?.() ?? Promise.resolve('{"a": 1}');
      },
      { modelRestSeconds: 60 },
    );
    expect((await ask(calls, 0.02)).trace.failure).toBe("no reply within 0.02 s");
    expect(signals[0]!.aborted).toBe(true);
    expect((await ask(calls, 60)).trace.failure).toBe("refused");
    expect({ isResting: calls.isResting, silence: calls.silence }).toEqual({ isResting: false, silence: null });
    expect((await ask(calls)).value).toBe(1);
  });

  it("is not made while the model rests", async () => {
    let count = 0;
    const calls = callsOf(() => Promise.reject(new Error(`refused ${++count}`)), { modelRestSeconds: 60 });
    await ask(calls);
    expect((await ask(calls, 60)).trace.failure).toBe("left alone for a while: refused 1");
    expect(count).toBe(1);
  });

  it("waits for a place no longer than that, and goes before the others that wait", async () => {
    const begun: (() => void)[] = [];
    const calls = callsOf(() => new Promise((resolve) => begun.push(() => resolve('{"a": 1}'))), {
      modelConcurrencyMax: 1,
    });
    const order: string[] = [];
    const note = async (name: string, answer: Promise<ModelAnswer<number>>): Promise<void> => {
      order.push(`${name}: ${(await answer).trace.failure}`);
    };
    const all = [note("first", ask(calls)), note("second", ask(calls)), note("hasty", ask(calls, 60))];
    expect((await ask(calls, 0.02)).trace.failure).toBe("busy with other calls for 0.02 s");
    for (const [i] of all.entries()) {
      await vi.waitFor(() => expect(begun).toHaveLength(i + 1), 30_000);
      begun[i]!();
    }
    await Promise.all(all);
    expect(order).toEqual(["first: null", "hasty: null", "second: null"]);
    expect(calls.counts).toMatchObject({ "as asked": 3, "without model": 1 });
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

it("a model that does not answer is left alone for a while, then asked again", async () => {
  let isDown = true;
  let count = 0;
  const calls = callsOf(
    async () => {
      count++;
      if (isDown) throw new Error("connection refused");
      return '{"a": 1}';
    },
    { modelRestSeconds: 0.05 },
  );
  expect((await ask(calls)).trace.failure).toBe("connection refused");
  expect((await ask(calls)).trace.failure).toBe("left alone for a while: connection refused");
  expect(calls.isResting).toBe(true);
  expect(count).toBe(1);
  isDown = false;
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect((await ask(calls)).value).toBe(1);
  expect(count).toBe(2);
});

describe("a model that used up its time", () => {
  const hangs = (): Promise<string> => new Promise(() => {});
  const brief = { modelTimeBudgetSeconds: 0.02, modelRestSeconds: 60 };

  /** Calls of one process after the other, over one store. */
  function processes(store: Pick<Store, "cached" | "cache"> = new MemoryStore()) {
    return (complete: () => Promise<string>, address = "here", changed = {}): ModelCalls => {
      const model = { name: "scripted", address, complete };
      return new ModelCalls(model, { ...limits, ...brief, ...changed }, new RestNote(store, model));
    };
  }

  it("is left alone by the next process too", async () => {
    const start = processes();
    expect((await ask(start(hangs))).trace.failure).toBe("no reply within 0.02 s");
    const next = start(async () => '{"a": 1}');
    expect((await ask(next)).trace.failure).toBe("left alone for a while: no reply within 0.02 s");
    expect(next.isResting).toBe(true);
  });

  it("is asked by whoever wants it now; an answer ends the rest for all", async () => {
    const start = processes();
    await ask(start(hangs));
    const willing = start(async () => '{"a": 1}');
    await willing.askAnyway();
    expect((await ask(willing)).value).toBe(1);
    expect((await ask(start(async () => '{"a": 2}'))).value).toBe(2);
  });

  it("rests longer each time, over processes", async () => {
    const store = new MemoryStore();
    const start = processes(store);
    const note = new RestNote(store, { name: "scripted", address: "here", complete: hangs });
    const factors: (number | undefined)[] = [];
    for (let count = 0; count < 6; count++) {
      const calls = start(hangs);
      await calls.askAnyway();
      await ask(calls);
      factors.push((await note.read())?.nextFactor);
    }
    expect(factors).toEqual([2, 4, 8, 16, 16, 16]);
  });

  it("does not stand for one of the same name elsewhere, nor for one that fails at once", async () => {
    const start = processes();
    await ask(start(hangs, "there"));
    await ask(start(() => Promise.reject(new Error("connection refused"))));
    expect((await ask(start(async () => '{"a": 1}'))).value).toBe(1);
  });

  it("that says itself that it was stopped counts as well", async () => {
    const start = processes();
    const listening = (({ signal }: LanguageModelRequest) =>
      new Promise((_, reject) =>
        signal!.addEventListener("abort", () => reject(new Error("stopped"))),
      )) as () => Promise<string>;
    expect((await ask(start(listening))).trace.failure).toBe("no reply within 0.02 s");
    expect((await ask(start(async () => '{"a": 1}'))).value).toBeNull();
  });

  it.each<[string, Pick<Store, "cached" | "cache">]>([
    ["fails", { cached: () => Promise.reject(new Error("no")), cache: () => Promise.reject(new Error("no")) }],
    ["holds something else", { cached: async () => Uint8Array.of(1, 2, 3), cache: async () => {} }],
    [
      "holds a rest without end",
      {
        cached: async () => new TextEncoder().encode('{"untilMs": 9e15, "nextFactor": 2, "reason": "x"}'),
        cache: async () => {},
      },
    ],
  ])("is no trouble where the store %s", async (_, store) => {
    const start = processes(store);
    expect((await ask(start(hangs))).trace.failure).toBe("no reply within 0.02 s");
    expect((await ask(start(async () => '{"a": 1}'))).value).toBe(1);
  });
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

  it("counts the steps by how they went", async () => {
    const replies = ['{"a": 1}', "so {a: 1}", '{"a": "x"}', '{"a": 2}', "no", "no"];
    const calls = callsOf(async () => replies.shift()!);
    const answers = [await ask(calls), await ask(calls), await ask(calls), await ask(calls)];
    expect(answers.map(({ trace }) => trace.how)).toEqual(["as asked", "repaired", "retried", "without model"]);
    expect(answers[1]!.trace.repairs).toEqual(["text around", "bare keys"]);
    expect(calls.counts).toEqual({ "as asked": 1, repaired: 1, retried: 1, "without model": 1 });
  });

  it("is told to the model in 300 characters at most, when it is asked once more", async () => {
    const texts: string[] = [];
    const calls = callsOf(async ({ text }) => {
      texts.push(text);
      return '{"a": 1}';
    });
    const long = "x".repeat(400);
    await calls.ask({
      step: "commitment",
      instruction: "Reply.",
      text: "text",
      schema: {},
      read: () => {
        throw new Error(long);
      },
    });
    expect(texts).toEqual([
      "text",
      `text\n\nYour last reply could not be used: ${"x".repeat(300)}. Reply once more, with the JSON object only.`,
    ]);
  });

  it("a failure in the second try is the one that counts, and the step goes without", async () => {
    let count = 0;
    const calls = callsOf(async () => {
      if (++count === 2) throw new Error("connection refused");
      return "no JSON";
    });
    expect((await ask(calls)).trace).toMatchObject({ how: "without model", failure: "connection refused" });
    expect(count).toBe(2);
  });

  it("lets whoever wants it now ask one that failed at once, not one that used up its time", async () => {
    const calls = callsOf(fails, { modelRestSeconds: 60 });
    await ask(calls);
    expect(calls.isResting).toBe(true);
    await calls.askAnyway();
    expect(calls.isResting).toBe(false);
    const hanging = callsOf(() => new Promise(() => {}), { modelTimeBudgetSeconds: 0.02, modelRestSeconds: 60 });
    await ask(hanging);
    await hanging.askAnyway();
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
