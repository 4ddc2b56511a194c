/** The language model behind an OpenAI-compatible endpoint: what it asks, when it tries again, and how it fails. */
import { ModelError } from "mnemosyne-edge";
import { OpenAiLanguageModel, type OpenAiLanguageModelOptions } from "mnemosyne-edge/language-model/openai";
import { afterEach, describe, expect, it, vi } from "vitest";
import { retryDelayMs } from "../../src/adapters/language-model/openai/retry.js";
import { type ScriptedEndpoint, type ScriptedReply, saying, startEndpoint } from "./scripted-endpoint.js";

const request = {
  instruction: "Say what it is.",
  text: "A clarinet.",
  schema: {
    type: "object",
    properties: { kinds: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } } },
    required: ["kinds"],
  },
};
const key = 'sk-"very\\secret';

let endpoint: ScriptedEndpoint | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await endpoint?.close();
  endpoint = undefined;
});

/** A model at an endpoint that gives these replies in turn, the last one for ever. */
async function modelAt(
  replies: readonly ScriptedReply[],
  options: Partial<OpenAiLanguageModelOptions> = {},
): Promise<{ model: OpenAiLanguageModel; endpoint: ScriptedEndpoint }> {
  endpoint = await startEndpoint((_, index) => replies[Math.min(index, replies.length - 1)]!);
  return { model: new OpenAiLanguageModel({ baseUrl: endpoint.baseUrl, model: "small", ...options }), endpoint };
}

/** Makes pauses of these lengths short and notes them; fetch has timers of its own, which stay as they are. */
function skipPauses(...expectedMs: number[]): number[] {
  const skipped: number[] = [];
  const { setTimeout } = globalThis;
  const skip = (handler: () => void, delayMs: number): NodeJS.Timeout => {
    const isPause = expectedMs.includes(delayMs);
    if (isPause) skipped.push(delayMs);
    return setTimeout(handler, isPause ? 0 : delayMs);
  };
  vi.spyOn(globalThis, "setTimeout").mockImplementation(skip as typeof setTimeout);
  return skipped;
}

async function failureOf(model: OpenAiLanguageModel): Promise<ModelError> {
  const error: unknown = await model.complete(request).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ModelError);
  expect((error as ModelError).code).toBe("language_model_failed");
  return error as ModelError;
}

describe("a request", () => {
  it("has the instruction as system, the text as user, and a strict schema", async () => {
    const { model, endpoint } = await modelAt([saying('{"kinds":[]}')]);
    expect(await model.complete(request)).toBe('{"kinds":[]}');
    expect(endpoint.paths).toEqual(["POST /v1/chat/completions"]);
    expect(endpoint.requests).toEqual([
      {
        model: "small",
        messages: [
          { role: "system", content: request.instruction },
          { role: "user", content: request.text },
        ],
        temperature: 0,
        response_format: {
          type: "json_schema",
          json_schema: {
            name: "reply",
            strict: true,
            schema: {
              additionalProperties: false,
              type: "object",
              properties: {
                kinds: {
                  type: "array",
                  items: { additionalProperties: false, type: "object", properties: { name: { type: "string" } } },
                },
              },
              required: ["kinds"],
            },
          },
        },
      },
    ]);
    expect(endpoint.headers[0]!.authorization).toBeUndefined();
    expect(model.name).toBe("openai:small");
  });

  it("carries key, temperature, seed and limit where they are given", async () => {
    const { model, endpoint } = await modelAt([saying("{}")], {
      apiKey: key,
      temperature: 0.3,
      seed: 7,
      maxTokens: 64,
    });
    await model.complete(request);
    expect(endpoint.requests[0]).toMatchObject({ temperature: 0.3, seed: 7, max_tokens: 64 });
    expect(endpoint.headers[0]!.authorization).toBe(`Bearer ${key}`);
  });

  it("finds its way whether or not the address ends with a slash, and keeps a query", async () => {
    const { endpoint } = await modelAt([saying("{}")]);
    await new OpenAiLanguageModel({ baseUrl: `${endpoint.baseUrl}//`, model: "m" }).complete(request);
    await new OpenAiLanguageModel({ baseUrl: `${endpoint.baseUrl}?version=2`, model: "m" }).complete(request);
    expect(endpoint.paths).toEqual(["POST /v1/chat/completions", "POST /v1/chat/completions?version=2"]);
  });
});

describe("a server that cannot keep to a schema", () => {
  const refusal = (status: number): ScriptedReply => ({
    status,
    body: '{"error":{"message":"response_format is not supported"}}',
  });

  it("is asked for any JSON, then for nothing but in words, and it is remembered", async () => {
    const { model, endpoint } = await modelAt([refusal(400), refusal(422), saying("{}")]);
    expect(await model.complete(request)).toBe("{}");
    expect(await model.complete(request)).toBe("{}");
    const formats = endpoint.requests.map(({ response_format }) => response_format?.type);
    expect(formats).toEqual(["json_schema", "json_object", undefined, undefined]);
    const [first, ...later] = endpoint.requests.map(({ messages }) => messages[0]!.content);
    expect(first).toBe(request.instruction);
    for (const content of later) expect(content).toContain(JSON.stringify(request.schema));
  });

  it("stays with JSON when that is enough", async () => {
    const { model, endpoint } = await modelAt([refusal(400), saying("{}")]);
    await Promise.all([model.complete(request), model.complete(request)]);
    await model.complete(request);
    expect(endpoint.requests.at(-1)!.response_format).toEqual({ type: "json_object" });
  });

  it("is not asked otherwise when it refuses for another reason", async () => {
    const { model, endpoint } = await modelAt([{ status: 400, body: '{"error":"the context is too long"}' }]);
    expect((await failureOf(model)).message).toMatch(/answered 400.*the context is too long/u);
    expect(endpoint.requests).toHaveLength(1);
  });
});

describe("tries again", () => {
  it("when the server is busy, after the time it asks for", async () => {
    const pauses = skipPauses(17_000);
    const busy = { status: 429, body: "{}", headers: { "retry-after": "17" } };
    const { model, endpoint } = await modelAt([busy, saying("done")]);
    expect(await model.complete(request)).toBe("done");
    expect(endpoint.requests).toHaveLength(2);
    expect(pauses).toEqual([17_000]);
  });

  it("when the server fails or the connection breaks, each time after a longer pause", async () => {
    const pauses = skipPauses(500, 1000);
    const { model, endpoint } = await modelAt([{ status: 500, body: "" }, "reset", saying("done")]);
    expect(await model.complete(request)).toBe("done");
    expect(endpoint.requests).toHaveLength(3);
    expect(pauses).toEqual([500, 1000]);
  });

  it.each<[ScriptedReply, RegExp]>([
    [{ status: 503, body: "loading the model" }, /answered 503.*loading the model/u],
    ["reset", /cannot be reached/u],
  ])("not without end: %s", async (reply, message) => {
    skipPauses(500, 1000);
    const { model, endpoint } = await modelAt([reply], { retryCountMax: 2 });
    expect((await failureOf(model)).message).toMatch(message);
    expect(endpoint.requests).toHaveLength(3);
  });

  it("after pauses that double, that a server may set in seconds or as a date, of a minute at most", () => {
    const now = Date.UTC(2025, 0, 8, 9, 15);
    expect([0, 1, 2, 3].map((count) => retryDelayMs(count, null, now))).toEqual([500, 1000, 2000, 4000]);
    expect(retryDelayMs(20, null, now)).toBe(60_000);
    expect(retryDelayMs(0, "17", now)).toBe(17_000);
    expect(retryDelayMs(0, "3600", now)).toBe(60_000);
    expect(retryDelayMs(0, "Wed, 08 Jan 2025 09:15:05 GMT", now)).toBe(5000);
    expect(retryDelayMs(0, "Wed, 08 Jan 2025 09:14:00 GMT", now)).toBe(0);
    expect(retryDelayMs(1, "soon", now)).toBe(1000);
  });
});

describe("fails with a clear error", () => {
  it("when there is no answer in time", async () => {
    const { model, endpoint } = await modelAt(["silence"], { timeoutMs: 50 });
    expect((await failureOf(model)).message).toMatch(/no answer within 50 ms/u);
    expect(endpoint.requests).toHaveLength(1);
  });

  it("when nobody listens", async () => {
    const { model, endpoint } = await modelAt([saying("{}")]);
    await endpoint.close();
    const { message, cause } = await failureOf(model);
    expect(message).toMatch(/"small" at http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions.*ECONNREFUSED/u);
    expect(cause).toBeDefined();
  });

  it.each<[string, ScriptedReply, RegExp]>([
    ["a refusal", { status: 401, body: "who are you?" }, /answered 401: "who are you\?"/u],
    [
      "a refusal in OpenAI's JSON",
      { status: 401, body: '{"error":{"message":"bad \\"key\\"","code":7}}' },
      /: it answered 401: bad "key"$/u,
    ],
    ["a refusal in Ollama's", { status: 404, body: '{"error":"no such model"}' }, /answered 404: no such model$/u],
    ["a refusal in vLLM's", { status: 404, body: '{"message":"no such model"}' }, /answered 404: no such model$/u],
    ["a refusal in FastAPI's", { status: 404, body: '{"detail":"Not Found"}' }, /answered 404: Not Found$/u],
    ["a refusal in some other", { status: 404, body: '{"why":"so"}' }, /answered 404: "\{"why":"so"\}"$/u],
    ["a long refusal", { status: 401, body: `{"message":"${"x".repeat(900)}"}` }, /: x{200}…$/u],
    [
      "a refusal that steers a terminal",
      { status: 401, body: '{"message":"a\\u001b[2J\\nb"}' },
      /answered 401: a \[2J b$/u,
    ],
    ["something else than JSON", { status: 200, body: "<html>hello</html>" }, /its answer is not JSON but "<html>/u],
    ["null", { status: 200, body: "null" }, /its answer contains no text/u],
    ["no choices", { status: 200, body: '{"choices":[]}' }, /its answer contains no text/u],
    ["an empty text", saying(" "), /its answer contains no text/u],
  ])("when the answer is %s", async (_, reply, message) => {
    const { model } = await modelAt([reply]);
    expect((await failureOf(model)).message).toMatch(message);
  });

  it.each([401, 200])("in which the key does not occur, even where the server quotes it (%i)", async (status) => {
    const { model } = await modelAt([{ status, body: `${" x".repeat(90)}${key}, ${key} is wrong` }], { apiKey: key });
    const error = await failureOf(model);
    expect(error.message).toContain("[key]");
    const told = `${error.message} ${String(error.cause)} ${error.stack}`;
    expect(told).not.toMatch(/very|secret/u);
  });

  it("in which the key does not occur where the server's message quotes it", async () => {
    const body = JSON.stringify({ error: { message: `${key} is wrong` } });
    const { model } = await modelAt([{ status: 401, body }], { apiKey: key });
    expect((await failureOf(model)).message).toMatch(/it answered 401: \[key\] is wrong$/u);
  });
});

describe("options that cannot work are refused at once", () => {
  it.each<[string, Partial<OpenAiLanguageModelOptions>, RegExp]>([
    ["no address", { baseUrl: "nowhere" }, /"nowhere" is not an http or https URL/u],
    ["a file", { baseUrl: "file:///etc" }, /not an http or https URL/u],
    ["no model", { model: " " }, /name of a model/u],
    ["a timeout of zero", { timeoutMs: 0 }, /timeoutMs 0/u],
    ["half a retry", { retryCountMax: 0.5 }, /retryCountMax 0\.5/u],
  ])("%s", (_, options, message) => {
    expect(() => new OpenAiLanguageModel({ baseUrl: "http://127.0.0.1", model: "m", ...options })).toThrow(message);
  });

  it.each([{ apiKey: "secret\n" }, { apiKey: "" }, { baseUrl: "http://ada:secret@127.0.0.1/v1" }])(
    "without telling the secret: %j",
    (options) => {
      const make = (): unknown => new OpenAiLanguageModel({ baseUrl: "http://127.0.0.1", model: "m", ...options });
      expect(make).toThrow(/apiKey/u);
      expect(make).not.toThrow(/secret/u);
    },
  );
});
