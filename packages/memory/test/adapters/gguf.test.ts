/** The language model in process, over a node-llama-cpp that is not there; `npm run test:model` has a real one. */
import { rmSync, mkdtempSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { InputError, type LanguageModelRequest, ModelError } from "mnemosyne-edge";
import { GgufLanguageModel, type GgufLanguageModelOptions } from "mnemosyne-edge/language-model/gguf";
import { afterAll, describe, expect, it } from "vitest";
import { read } from "../../../../test/docs/project-files.js";
import { type FakeAnswer, FakeLlama, writeModelFile } from "./fake-llama.js";

const folder = mkdtempSync(join(tmpdir(), "mnemosyne-gguf-"));
const path = writeModelFile(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const schema = {
  type: "object",
  properties: {
    kind: { type: "string", enum: ["wind", "string"] },
    names: { type: "array", items: { type: "string" }, maxItems: 3 },
  },
  required: ["kind", "names"],
};
const request: LanguageModelRequest = { instruction: "Say what it is.", text: "A clarinet.", schema };

function open(
  answer?: FakeAnswer,
  options: Partial<GgufLanguageModelOptions> = {},
): { model: GgufLanguageModel; fake: FakeLlama } {
  const fake = new FakeLlama(answer);
  return { model: new GgufLanguageModel({ path, importLlama: fake.importLlama, ...options }), fake };
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ModelError);
  expect((error as ModelError).code).toBe("language_model_failed");
  return (error as ModelError).message;
}

describe("a request", () => {
  it("is held to a grammar of its schema in which no text is empty, and takes the likeliest words", async () => {
    const { model, fake } = open(() => '{"kind":"wind","names":[]}');
    expect(await model.complete(request)).toBe('{"kind":"wind","names":[]}');
    expect(fake.schemas).toEqual([
      {
        ...schema,
        properties: {
          kind: { type: "string", enum: ["wind", "string"] },
          names: { type: "array", items: { type: "string", minLength: 1 }, maxItems: 3 },
        },
      },
    ]);
    const [{ history, options }] = fake.requests as [FakeLlama["requests"][number]];
    expect(history).toEqual([
      { type: "system", text: "Say what it is." },
      { type: "user", text: "A clarinet." },
      { type: "model", response: [] },
    ]);
    expect(options).toMatchObject({ temperature: 0, maxTokens: 1024, grammar: { schema: fake.schemas[0] } });
    expect(model.name).toBe("gguf:tiny.gguf");
  });

  it("that needs few tokens gets no more, and never more than the model's own limit", async () => {
    const { model, fake } = open(undefined, { maxTokens: 300 });
    for (const replyTokensMax of [200, 400]) {
      await model.complete({ instruction: "Say what it is.", text: "A clarinet.", schema, replyTokensMax });
    }
    expect(fake.requests.map(({ options }) => options.maxTokens)).toEqual([200, 300]);
  });

  it("loads the model when it is the first, without building or downloading, on no more threads than cores", async () => {
    const { model, fake } = open(undefined, { gpu: false });
    expect(fake.events).toEqual([]);
    await Promise.all([model.complete(request), model.complete(request)]);
    await model.complete(request);
    expect(fake.events).toEqual(["load tiny.gguf"]);
    expect(fake.schemas).toHaveLength(1);
    expect(fake.llamaOptions[0]).toMatchObject({ gpu: false, build: "never", skipDownload: true });
    expect(fake.contextOptions).toEqual([{ contextSize: 4096, sequences: 1, threads: availableParallelism() }]);
    expect(fake.underWayMost).toBe(1);
  });

  it("has the context the model was trained on, if that is smaller", async () => {
    const { model, fake } = open(undefined, { contextTokens: 8192, maxTokens: 500, threads: 3 });
    fake.trainContextSize = 2048;
    expect(model.textTokensMax).toBe(8192 - 500 - 512);
    await model.load();
    expect(model.textTokensMax).toBe(2048 - 500 - 512);
    expect(fake.contextOptions).toEqual([{ contextSize: 2048, sequences: 1, threads: 3 }]);
    expect(fake.llamaOptions[0]).toMatchObject({ maxThreads: 3, gpu: "auto" });
  });

  it("whose text has more tokens than there is room for loses the middle of it", async () => {
    const { model, fake } = open(undefined, { contextTokens: 1000, maxTokens: 300 });
    await model.complete({ ...request, text: `begin ${"x".repeat(5000)} end` });
    const [system, user] = fake.requests[0]!.history;
    expect(user!.text).toMatch(/^begin x+\n\[…\]\nx+ end$/u);
    const taken = system!.text!.length + user!.text!.length + 300 + 64;
    expect(taken).toBeGreaterThan(900);
    expect(taken).toBeLessThanOrEqual(1000);
  });

  it("says so where an instruction leaves no room at all", async () => {
    const { model } = open(undefined, { contextTokens: 1000, maxTokens: 300 });
    const message = await failureOf(model.complete({ ...request, instruction: "x".repeat(700) }));
    expect(message).toMatch(/context of 1000 tokens leaves no room/u);
  });
});

describe("a chat reply", () => {
  const messages = [
    { role: "system", text: "Be kind." },
    { role: "user", text: "Hello" },
    { role: "assistant", text: "Hi!" },
    { role: "user", text: "Who am I?" },
  ] as const;

  it("goes on with the messages and is told piece by piece", async () => {
    const { model, fake } = open(() => "You are Ada.", { seed: 7, maxTokens: 50 });
    const pieces: string[] = [];
    expect(await model.reply(messages, (piece) => pieces.push(piece))).toBe("You are Ada.");
    expect(pieces).toEqual(["You ", "are ", "Ada."]);
    const [{ history, options }] = fake.requests as [FakeLlama["requests"][number]];
    expect(history).toEqual([
      { type: "system", text: "Be kind." },
      { type: "user", text: "Hello" },
      { type: "model", response: ["Hi!"] },
      { type: "user", text: "Who am I?" },
      { type: "model", response: [] },
    ]);
    expect(options.grammar).toBeUndefined();
    expect(options).toMatchObject({ seed: 7, maxTokens: 50 });
    expect(options.temperature).toBeGreaterThan(0);
  });

  it("that is empty is none", async () => {
    const { model } = open(() => " \n");
    expect(await failureOf(model.reply(messages))).toMatch(/its reply is empty/u);
  });
});

describe("called off", () => {
  const reason = new Error("nobody waits");

  it("a request ends with the reason, and the next one is answered", async () => {
    const { model } = open((_, index) => (index === 0 ? "never" : "{}"));
    const calledOff = new AbortController();
    setTimeout(() => calledOff.abort(reason), 20);
    await expect(model.complete({ ...request, signal: calledOff.signal })).rejects.toBe(reason);
    expect(await model.complete(request)).toBe("{}");
  });

  it("a request that waits for its turn is never begun, and those behind it still wait for those before", async () => {
    const { model, fake } = open((_, index) => (index === 0 ? "never" : "{}"));
    const [first, second] = [new AbortController(), new AbortController()];
    const replies = [first.signal, second.signal, undefined].map((signal) =>
      model.complete(signal === undefined ? request : { ...request, signal }).catch((error: unknown) => error),
    );
    second.abort(reason);
    expect(await replies[1]).toBe(reason);
    expect(fake.underWayMost).toBeLessThanOrEqual(1);
    while (fake.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    first.abort(reason);
    expect(await Promise.all(replies)).toEqual([reason, reason, "{}"]);
    expect(fake.requests).toHaveLength(2);
    expect(fake.underWayMost).toBe(1);
  });
});

describe("closing", () => {
  it("stops what is under way, frees everything, and a later request starts again", async () => {
    const { model, fake } = open((_, index) => (index === 0 ? "never" : "{}"));
    const stopped = failureOf(model.complete(request));
    const waiting = failureOf(model.complete(request));
    while (fake.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await model.close();
    expect(await stopped).toMatch(/it was closed/u);
    expect(await waiting).toMatch(/it was closed/u);
    expect(fake.events).toEqual(["load tiny.gguf", "dispose"]);
    expect(await model.complete(request)).toBe("{}");
    expect(fake.events).toEqual(["load tiny.gguf", "dispose", "load tiny.gguf"]);
    expect(fake.schemas).toHaveLength(2);
  });

  it("what was never loaded is fine, twice too", async () => {
    const { model, fake } = open();
    await model.close();
    await model.close();
    expect(fake.events).toEqual([]);
  });
});

describe("fails with a clear error", () => {
  it.each<[string, string, RegExp]>([
    ["a file that is not there", "none.gguf", /none\.gguf cannot be read: no such file/u],
    ["a folder", ".", /cannot be read: it is a folder/u],
    ["another file", "other.bin", /other\.bin is not a GGUF file/u],
    ["an empty file", "empty.gguf", /empty\.gguf is not a GGUF file/u],
  ])("at once: %s", (_, name, message) => {
    writeFileSync(join(folder, "other.bin"), "PK and so on");
    writeFileSync(join(folder, "empty.gguf"), "");
    const make = (): unknown => new GgufLanguageModel({ path: join(folder, name) });
    expect(make).toThrow(InputError);
    expect(make).toThrow(message);
  });

  it.each<[string, Partial<GgufLanguageModelOptions>, RegExp]>([
    ["no path", { path: " " }, /path of a GGUF file/u],
    ["no threads", { threads: 0 }, /threads 0/u],
    ["half a token", { maxTokens: 0.5 }, /maxTokens 0\.5/u],
    ["a small context", { contextTokens: 1024 }, /contextTokens 1024 leaves no room for a text; use 1600 or more/u],
    ["a seed below zero", { seed: -1 }, /seed -1/u],
  ])("at once: %s", (_, options, message) => {
    expect(() => new GgufLanguageModel({ path, ...options })).toThrow(message);
  });

  it("without node-llama-cpp: how to install it, the small way too", async () => {
    const { model, fake } = open();
    fake.importError = new Error("Cannot find package 'node-llama-cpp'\nimported from somewhere");
    const message = await failureOf(model.complete(request));
    expect(message).toContain("tiny.gguf");
    expect(message).toContain("`npm install node-llama-cpp`");
    expect(message).toMatch(/`npm install node-llama-cpp @node-llama-cpp\/linux-x64 .*--omit=optional`/u);
    expect(message).not.toContain("imported from somewhere");
    const { optionalDependencies } = JSON.parse(read("packages/memory/package.json")) as {
      optionalDependencies: Record<string, string>;
    };
    expect(message).toContain(`onnxruntime-node@${optionalDependencies["onnxruntime-node"]}`);
    expect(message).toContain("leaves out those of the server");
  });

  it("says so by itself where the package is not installed", async () => {
    const message = await failureOf(new GgufLanguageModel({ path }).load());
    expect(message).toMatch(/it needs node-llama-cpp \(.*node-llama-cpp.*\); install it with/u);
  });

  it("with a package that has nothing to run here", async () => {
    class NoBinaryFoundError extends Error {}
    const { model, fake } = open();
    fake.loadError = new NoBinaryFoundError("no");
    expect(await failureOf(model.complete(request))).toMatch(/no binary for this device; install it with/u);
  });

  it("with a model that llama.cpp cannot load: what it said; and it is tried again each time", async () => {
    const { model, fake } = open();
    fake.loadError = new Error("Failed to load model");
    const message = await failureOf(model.complete(request));
    expect(message).toMatch(/tiny\.gguf failed: it cannot be loaded: Failed to load model \(unknown architecture\)$/u);
    expect(fake.events).toEqual(["load tiny.gguf", "dispose"]);
    fake.loadError = null;
    expect(await model.complete(request)).toBe("{}");
  });

  it("when llama.cpp fails on the way", async () => {
    const { model } = open(() => new Error("failed to decode"));
    expect(await failureOf(model.complete(request))).toMatch(/tiny\.gguf failed: failed to decode$/u);
  });
});
