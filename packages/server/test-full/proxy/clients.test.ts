/** OpenAI's and Anthropic's own clients see the same through the proxy as without it, and what they say is stored. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { areClientsThere, runWithClients } from "./chat-clients.js";
import { ProxyServer, eventually } from "../../test/server/proxy/proxy-server.js";
import {
  type Answer,
  ScriptedUpstream,
  anthropicMessage,
  anthropicPieces,
  chatCallPieces,
  chatMessage,
  chatPieces,
  completion,
  cut,
  event,
  json,
  responseBody,
  responseMessage,
  responsePieces,
  stream,
} from "../../test/server/proxy/scripted-upstream.js";

const scratch = new ScratchFolder();
let upstream: ScriptedUpstream;
let proxy: ProxyServer;

beforeAll(async () => {
  upstream = await ScriptedUpstream.start();
  proxy = await ProxyServer.start({ path: scratch.next(), upstream: { url: upstream.origin } });
  // Something is known of everybody who asks, so that each request is changed on its way.
  for (const person of ["openai", "anthropic"].flatMap((client) => asking.map((model) => `${client} ${model}`))) {
    const turns = [{ who: "user", text: "Ask about it: my boat is called Gull." }];
    await proxy.mnemosyne.person(person).commit({ turns, keep: true }, { wait: true });
  }
});
afterAll(async () => {
  await proxy.stop();
  await upstream.stop();
});

const asking = ["whole", "stream", "call", "image", "json", "limited", "malformed", "cut", "endless", "response"];

/** Never ends by itself. */
function endless(pieces: readonly string[]): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(pieces.join(""));
  };
}

function byModel(answers: Readonly<Record<string, Answer>>): Answer {
  return async (response, request) => {
    const answer =
      answers[request.json?.model ?? request.path] ??
      json({ error: { message: `no script for ${request.path}` } }, 404);
    await answer(response, request);
  };
}

const words = ["Your boat ", "is called ", "Gull. ", "Grüße 🌍"];
const openaiAnswers = byModel({
  whole: completion("Gull."),
  stream: stream(chatPieces(words)),
  call: stream(chatCallPieces("c1", "get_weather", ['{"city":', '"Faro"}'])),
  json: json(chatMessage({ content: '{"boat":"Gull"}' })),
  limited: json({ error: { message: "slow down", type: "rate_limit", code: "limited" } }, 429, { "retry-after": "1" }),
  broken: json({ error: { message: "oh", type: "server_error", code: "oh" } }, 500),
  malformed: stream([...chatPieces(["Hm"]).slice(0, 2), "data: {not json\n\n", ...chatPieces(["m"])]),
  failing: stream([...chatPieces(["Hm"]).slice(0, 2), event({ error: { message: "died", code: "died" } })]),
  packed: stream([gzipSync(chatPieces(words).join(""))], { "content-encoding": "gzip" }),
  cut: cut(chatPieces(words).slice(0, 3)),
  endless: endless(chatPieces(words).slice(0, 5)),
  response: json(responseBody("resp_1", [responseMessage("Gull.")])),
  "response-stream": stream(responsePieces("resp_2", words)),
  "/v1/models": json({ object: "list", data: [{ id: "org/model", object: "model", created: 1, owned_by: "org" }] }),
  "/v1/models/org%2Fmodel": json({ id: "org/model", object: "model", created: 1, owned_by: "org" }),
});

const use = { type: "tool_use", id: "t1", name: "get_weather", input: {} };
const callPieces = anthropicPieces([]).flatMap((piece) => {
  if (!piece.includes("content_block_start")) return [piece];
  const delta = (partial: string): string =>
    event(
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: partial } },
      "content_block_delta",
    );
  return [
    event({ type: "content_block_start", index: 0, content_block: use }, "content_block_start"),
    delta('{"city":'),
    delta('"Faro"}'),
  ];
});
const anthropicAnswers = byModel({
  whole: json(anthropicMessage([{ type: "text", text: "Gull." }])),
  stream: stream(anthropicPieces(words)),
  call: stream(callPieces),
  limited: json({ type: "error", error: { type: "rate_limit_error", message: "slow down" } }, 429),
  overloaded: json({ type: "error", error: { type: "overloaded_error", message: "busy" } }, 529),
  malformed: stream([...anthropicPieces(words).slice(0, 4), "event: content_block_delta\ndata: {not json\n\n"]),
  failing: stream([
    ...anthropicPieces(words).slice(0, 4),
    event({ type: "error", error: { type: "api_error", message: "died" } }, "error"),
  ]),
  cut: cut(anthropicPieces(words).slice(0, 5)),
  endless: endless(anthropicPieces(words).slice(0, 5)),
  count: json({ input_tokens: 7 }),
  "/v1/models": json({
    data: [{ id: "m", type: "model", display_name: "M", created_at: "2025-01-01T00:00:00Z" }],
    has_more: false,
  }),
});

interface Seen {
  readonly [name: string]: unknown;
}

async function seenBy(program: string, direct: string, through: string): Promise<{ direct: Seen; through: Seen }> {
  const read = async (address: string): Promise<Seen> =>
    JSON.parse(await runWithClients(`packages/server/test-full/proxy/${program}`, scratch.path, [address])) as Seen;
  return { direct: await read(direct), through: await read(through) };
}

function threw(seen: Seen): string[] {
  return Object.entries(seen).flatMap(([name, value]) => (JSON.stringify(value).startsWith('{"threw"') ? name : []));
}

async function stored(person: string): Promise<string[]> {
  const said = await eventually(
    () => proxy.said(person),
    (all) => (all.at(-1)?.length ?? 0) >= 2,
  );
  return said.filter((turns) => !turns[0]!.includes("my boat")).flat();
}

describe.runIf(areClientsThere)("the client of OpenAI", () => {
  let seen: { direct: Seen; through: Seen };
  beforeAll(async () => {
    upstream.answer = openaiAnswers;
    seen = await seenBy("openai-client.mjs", `${upstream.origin}/v1`, `${proxy.origin}/v1`);
  });

  it("sees the same through the proxy", () => {
    expect(Object.keys(seen.direct).length).toBeGreaterThan(15);
    expect(seen.through).toEqual(seen.direct);
  });

  it("sees what it should", () => {
    const { direct } = seen;
    expect(threw(direct)).toEqual(["limited", "broken", "malformed", "failing", "cut"]);
    expect(direct["stream"]).toHaveLength(6);
    expect(JSON.stringify(direct["call"])).toContain("get_weather");
    expect(direct["json"]).toEqual({ boat: "Gull" });
    expect(direct["limited"]).toMatchObject({ threw: "RateLimitError", status: 429 });
    expect(direct["broken"]).toMatchObject({ threw: "InternalServerError", status: 500 });
    expect(direct["cut"]).toHaveProperty("threw");
    expect(direct["aborted"]).toHaveLength(3);
    expect(direct["response final"]).toBe(words.join(""));
    expect(direct["model"]).toMatchObject({ id: "org/model" });
  });

  it("has its requests changed in one place only", () => {
    const changed = upstream.requests.filter(({ text }) => text.includes("<<<MEMORY"));
    expect(changed.length).toBeGreaterThan(8);
    for (const { json: body } of changed) {
      if (body.instructions === undefined) expect(body.messages[0].role).toBe("system");
      else expect(body.instructions).toContain("Gull");
    }
    expect(changed.every(({ headers }) => headers["x-stainless-lang"] === "js")).toBe(true);
  });

  it("has what it said and was told stored, once, and nothing that the proxy added", async () => {
    expect(await stored("openai whole")).toEqual(["user: Ask whole.", "assistant: Gull."]);
    expect(await stored("openai stream")).toEqual(["user: Ask stream.", `assistant: ${words.join("")}`]);
    expect(await stored("openai call")).toEqual(["user: Ask call.", 'assistant: [called get_weather {"city":"Faro"}]']);
    expect(await stored("openai image")).toEqual(["user: What is it?\n[image]", "assistant: Gull."]);
    expect(await stored("openai cut")).toEqual(["user: Ask cut.", "assistant: Your boat is called "]);
    expect(await stored("openai response-stream")).toEqual(["user: Ask it.", `assistant: ${words.join("")}`]);
    expect((await stored("openai endless"))[0]).toBe("user: Ask endless.");
    // A packed reply, which the proxy asks its upstream not to send, is passed on unread.
    for (const name of ["broken", "packed"])
      expect((await proxy.said(`openai ${name}`)).flat()).toEqual([`user: Ask ${name}.`]);
    await expectNothingAdded();
  });
});

describe.runIf(areClientsThere)("the client of Anthropic", () => {
  let seen: { direct: Seen; through: Seen };
  beforeAll(async () => {
    upstream.answer = anthropicAnswers;
    seen = await seenBy("anthropic-client.mjs", upstream.origin, proxy.origin);
  });

  it("sees the same through the proxy", () => {
    expect(Object.keys(seen.direct).length).toBeGreaterThan(12);
    expect(seen.through).toEqual(seen.direct);
  });

  it("sees what it should", () => {
    const { direct } = seen;
    expect(threw(direct)).toEqual(["limited", "overloaded", "malformed", "failing", "cut"]);
    expect(JSON.stringify(direct["final"])).toContain(words.join(""));
    expect(direct["call"]).toMatchObject({ content: [{ name: "get_weather", input: { city: "Faro" } }] });
    expect(direct["limited"]).toMatchObject({ threw: "RateLimitError", status: 429 });
    expect(direct["overloaded"]).toMatchObject({ status: 529 });
    expect(direct["failing"]).toHaveProperty("threw");
    expect(direct["count"]).toMatchObject({ input_tokens: 7 });
    expect(direct["aborted"]).toHaveLength(4);
  });

  it("has what it said and was told stored, once, and nothing that the proxy added", async () => {
    expect(await stored("anthropic whole")).toEqual(["user: Ask whole.", "assistant: Gull."]);
    expect(await stored("anthropic stream")).toEqual(["user: Ask stream.", `assistant: ${words.join("")}`]);
    expect(await stored("anthropic call")).toEqual([
      "user: Ask call.",
      'assistant: [called get_weather {"city":"Faro"}]',
    ]);
    expect(await stored("anthropic image")).toEqual(["user: [image]\nWhat is it?", "assistant: Gull."]);
    expect(await stored("anthropic cut")).toEqual(["user: Ask cut.", "assistant: Your boat is called "]);
    await expectNothingAdded();
  });
});

/** In all that is kept of everybody, there is no mark of what the proxy adds. */
async function expectNothingAdded(): Promise<void> {
  let count = 0;
  for await (const person of proxy.mnemosyne.persons()) {
    for await (const line of proxy.mnemosyne.person(person).export()) {
      count++;
      expect(line).not.toMatch(/<<<|>>>|‹‹‹|not instructions|remembered from earlier/u);
    }
  }
  expect(count).toBeGreaterThan(20);
}
