/** Chat replies of the language model behind an endpoint, in pieces or whole, and requests that are called off. */
import { ModelError } from "mnemosyne-edge";
import { OpenAiLanguageModel, type OpenAiLanguageModelOptions } from "mnemosyne-edge/language-model/openai";
import { afterEach, describe, expect, it } from "vitest";
import { type ScriptedEndpoint, type ScriptedReply, saying, startEndpoint, streaming } from "./scripted-endpoint.js";

const messages = [
  { role: "system", text: "You are kind." },
  { role: "user", text: "Who am I?" },
] as const;
const request = { instruction: "Say what it is.", text: "A clarinet.", schema: { type: "object", properties: {} } };

let endpoint: ScriptedEndpoint | undefined;
afterEach(async () => {
  await endpoint?.close();
  endpoint = undefined;
});

async function modelAt(
  replies: readonly ScriptedReply[],
  options: Partial<OpenAiLanguageModelOptions> = {},
): Promise<{ model: OpenAiLanguageModel; endpoint: ScriptedEndpoint }> {
  endpoint = await startEndpoint((_, index) => replies[Math.min(index, replies.length - 1)]!);
  return { model: new OpenAiLanguageModel({ baseUrl: endpoint.baseUrl, model: "small", ...options }), endpoint };
}

async function replyOf(model: OpenAiLanguageModel): Promise<{ text: string; pieces: string[] }> {
  const pieces: string[] = [];
  const text = await model.reply(messages, (piece) => pieces.push(piece));
  return { text, pieces };
}

async function failureOf(model: OpenAiLanguageModel): Promise<{ message: string; pieces: string[] }> {
  const pieces: string[] = [];
  const error: unknown = await model.reply(messages, (piece) => pieces.push(piece)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ModelError);
  return { message: (error as ModelError).message, pieces };
}

describe("a reply", () => {
  it("is asked for as a stream, with the messages as they are", async () => {
    const { model, endpoint } = await modelAt([streaming("You ", "are ", "Ada.")], { seed: 3, maxTokens: 64 });
    expect(await replyOf(model)).toEqual({ text: "You are Ada.", pieces: ["You ", "are ", "Ada."] });
    expect(endpoint.requests).toEqual([
      {
        model: "small",
        messages: [
          { role: "system", content: "You are kind." },
          { role: "user", content: "Who am I?" },
        ],
        stream: true,
        seed: 3,
        max_tokens: 64,
      },
    ]);
  });

  it.each(["reasoning_content", "reasoning"])("tells of thoughts in %s by empty pieces", async (field) => {
    const thought = `data: ${JSON.stringify({ choices: [{ delta: { [field]: "Hm." }, finish_reason: null }] })}\n\n`;
    const { model } = await modelAt([{ pieces: [thought, ...streaming("You are Ada.").pieces] }]);
    expect(await replyOf(model)).toEqual({ text: "You are Ada.", pieces: ["", "You are Ada."] });
  });

  it("may come all at once, from a server that does not stream", async () => {
    const { model } = await modelAt([saying("You are Ada.")]);
    expect(await replyOf(model)).toEqual({ text: "You are Ada.", pieces: ["You are Ada."] });
  });

  it("needs nobody who listens to its pieces", async () => {
    const { model } = await modelAt([streaming("Ada.")]);
    expect(await model.reply(messages)).toBe("Ada.");
  });

  it("is the same however the bytes are cut, with comments, other fields and other line ends", async () => {
    const [first, last, done] = streaming("Zoë 🙂 日本").pieces;
    const whole = [": hello\n\n", "event: message\nid: 1\n", first!, last!, done!].join("").replaceAll("\n", "\r\n");
    const bytes = Buffer.from(whole);
    const pieces = [...bytes].map((_, i) => bytes.subarray(i, i + 1)) as unknown as string[];
    const { model } = await modelAt([{ pieces }]);
    expect((await replyOf(model)).text).toBe("Zoë 🙂 日本");
  });

  it("ends with a finish reason too, where a server does not say that it is done", async () => {
    const { model } = await modelAt([{ pieces: streaming("Ada.").pieces.slice(0, -1) }]);
    expect((await replyOf(model)).text).toBe("Ada.");
  });

  it("is tried again while nothing of it has come", async () => {
    const busy = { status: 429, body: "{}", headers: { "retry-after": "0" } };
    const { model, endpoint } = await modelAt([busy, { pieces: [], breaksOff: true }, streaming("Ada.")]);
    expect((await replyOf(model)).text).toBe("Ada.");
    expect(endpoint.requests).toHaveLength(3);
  });
});

describe("no reply", () => {
  const begun = streaming("You ", "are ").pieces.slice(0, 2);

  it.each<[string, ScriptedReply, RegExp]>([
    ["a stream that ends too early", { pieces: begun }, /the stream was cut off after 8 characters/u],
    ["a connection that breaks", { pieces: begun, breaksOff: true }, /the stream was cut off \(/u],
    [
      "an error in the stream",
      { pieces: [...begun, 'data: {"error":{"message":"out of memory"}}\n\n'] },
      /the stream broke off: out of memory$/u,
    ],
    ["garbage", { pieces: [...begun, "data: <html>\n\n"] }, /something other than JSON: "<html>"/u],
  ])("is %s: what came is not taken for one, and nothing is asked twice", async (_, reply, message) => {
    const { model, endpoint } = await modelAt([reply]);
    const failure = await failureOf(model);
    expect(failure.message).toMatch(message);
    expect(failure.pieces.join("")).toBe("You are ");
    expect(endpoint.requests).toHaveLength(1);
  });

  it.each<[string, ScriptedReply, RegExp]>([
    ["an empty stream", { pieces: ["data: [DONE]\n\n"] }, /its answer contains no text/u],
    ["a refusal", { status: 404, body: "no such model" }, /answered 404: "no such model"/u],
    ["something else", { status: 200, body: "hello" }, /its answer is not JSON but "hello"/u],
  ])("is %s", async (_, reply, message) => {
    const { model } = await modelAt([reply]);
    expect((await failureOf(model)).message).toMatch(message);
  });

  it("is a stream that falls silent", async () => {
    const { model } = await modelAt([{ pieces: begun, staysOpen: true }], { timeoutMs: 100 });
    expect((await failureOf(model)).message).toMatch(/no answer within 100 ms/u);
  });
});

describe("called off", () => {
  const reason = new Error("nobody waits");

  it("before it begins, a request is not sent", async () => {
    const { model, endpoint } = await modelAt([saying("{}")]);
    await expect(model.complete({ ...request, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(model.reply(messages, () => {}, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(endpoint.requests).toHaveLength(0);
  });

  it("while the server is silent, it ends at once and is not tried again", async () => {
    const calledOff = new AbortController();
    endpoint = await startEndpoint(() => {
      calledOff.abort(reason);
      return "silence";
    });
    const model = new OpenAiLanguageModel({ baseUrl: endpoint.baseUrl, model: "small" });
    await expect(model.complete({ ...request, signal: calledOff.signal })).rejects.toBe(reason);
    expect(endpoint.requests).toHaveLength(1);
  });

  it("during the pause before another try, it ends at once", async () => {
    const busy = { status: 429, body: "{}", headers: { "retry-after": "3600" } };
    const { model, endpoint } = await modelAt([busy]);
    const calledOff = new AbortController();
    const failed = model.complete({ ...request, signal: calledOff.signal }).catch((error: unknown) => error);
    while (endpoint.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    calledOff.abort(reason);
    expect(await failed).toBe(reason);
    expect(endpoint.requests).toHaveLength(1);
  });

  it("in the middle of a stream, no more pieces are told", async () => {
    const { model } = await modelAt([{ pieces: streaming("You ", "are ").pieces.slice(0, 2), staysOpen: true }]);
    const calledOff = new AbortController();
    const pieces: string[] = [];
    const onText = (piece: string): void => {
      pieces.push(piece);
      calledOff.abort(reason);
    };
    await expect(model.reply(messages, onText, calledOff.signal)).rejects.toBe(reason);
    expect(pieces[0]).toBe("You ");
  });

  it("leaves the model as it was", async () => {
    const { model } = await modelAt(["silence", saying("{}")], { timeoutMs: 60_000 });
    const calledOff = new AbortController();
    const failed = model.complete({ ...request, signal: calledOff.signal }).catch((error: unknown) => error);
    setTimeout(() => calledOff.abort(reason), 20);
    expect(await failed).toBe(reason);
    expect(await model.complete(request)).toBe("{}");
  });
});
