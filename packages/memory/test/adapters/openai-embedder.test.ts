/** The OpenAI-compatible embedder, against a real server on loopback. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { OpenAiEmbedder } from "mnemosyne-edge/embedder/openai";
import { afterEach, describe, expect, it } from "vitest";

describe("the OpenAI-compatible embedder", () => {
  let server: Server | undefined;
  afterEach(() => new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve()))));

  /** Answers each request with the next reply: a status and a body. */
  async function serve(
    replies: [status: number, body: unknown][],
  ): Promise<{ baseUrl: string; bodies: unknown[]; keys: unknown[] }> {
    const bodies: unknown[] = [];
    const keys: unknown[] = [];
    server = createServer(async (request, response) => {
      bodies.push(JSON.parse(await readBody(request)));
      keys.push(request.headers.authorization);
      const [status, body] = replies.length > 1 ? replies.shift()! : replies[0]!;
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
    return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`, bodies, keys };
  }

  const good = {
    data: [
      { index: 1, embedding: [0, 1] },
      { index: 0, embedding: [1, 0] },
    ],
  };

  it("asks once for several texts and puts the answers in their order", async () => {
    const { baseUrl, bodies, keys } = await serve([[200, good]]);
    const embedder = new OpenAiEmbedder({ baseUrl, model: "m", dimensions: 2, apiKey: "secret" });
    expect(await embedder.embed(["a", "b"])).toEqual([Float32Array.of(1, 0), Float32Array.of(0, 1)]);
    expect(bodies).toEqual([{ model: "m", input: ["a", "b"], encoding_format: "float" }]);
    expect(keys).toEqual(["Bearer secret"]);
    expect(embedder.identity).toEqual({ name: "openai:m", dimensions: 2 });
  });

  it("tries again when the server is busy or failing", async () => {
    const { baseUrl, bodies } = await serve([
      [429, {}],
      [500, {}],
      [200, good],
    ]);
    const embedder = new OpenAiEmbedder({ baseUrl, model: "m", dimensions: 2 });
    expect(await embedder.embed(["a", "b"])).toHaveLength(2);
    expect(bodies).toHaveLength(3);
  });

  it.each<[string, number, unknown, RegExp]>([
    ["a refusal", 401, {}, /401/u],
    ["too few vectors", 200, { data: [] }, /2 vectors/u],
    ["other dimensions", 200, { data: [{ embedding: [1] }, { embedding: [1] }] }, /1 dimensions instead of 2/u],
    ["something else", 200, "hello", /2 vectors/u],
  ])("%s is a clear error", async (_, status, body, message) => {
    const { baseUrl } = await serve([[status, body]]);
    const embedder = new OpenAiEmbedder({ baseUrl, model: "m", dimensions: 2 });
    await expect(embedder.embed(["a", "b"])).rejects.toMatchObject({
      code: "embedder_failed",
      message: expect.stringMatching(message) as string,
    });
  });

  it("options that cannot work are refused at once", () => {
    expect(() => new OpenAiEmbedder({ baseUrl: "nowhere", model: "m", dimensions: 2 })).toThrow(/not a URL/u);
    expect(() => new OpenAiEmbedder({ baseUrl: "http://localhost", model: "m", dimensions: 0 })).toThrow(/dimensions/u);
  });
});

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}
