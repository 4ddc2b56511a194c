/** A server on the loopback that plays an OpenAI-compatible endpoint by a script. */
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: { readonly schema: { readonly required: readonly string[] } };
  };
  readonly [option: string]: unknown;
}

/** "reset" breaks the connection, "silence" never answers. */
export type ScriptedReply =
  | "reset"
  | "silence"
  | {
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly afterMs?: number;
    }
  | ScriptedStream;

/** Written piece by piece; one that breaks off ends with the connection and not with its end. */
export interface ScriptedStream {
  readonly pieces: readonly string[];
  readonly breaksOff?: boolean;
  readonly staysOpen?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ScriptedEndpoint {
  readonly baseUrl: string;
  readonly requests: ChatRequest[];
  readonly headers: IncomingHttpHeaders[];
  readonly paths: string[];
  /** How often a client went away before it had its answer. */
  hungUpCount(): number;
  close(): Promise<void>;
}

export async function startEndpoint(
  reply: (request: ChatRequest, index: number) => ScriptedReply,
): Promise<ScriptedEndpoint> {
  const requests: ChatRequest[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const paths: string[] = [];
  let hungUpCount = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as ChatRequest;
    response.on("close", () => {
      if (!response.writableEnded) hungUpCount++;
    });
    headers.push(request.headers);
    paths.push(`${request.method} ${request.url}`);
    const answer = reply(body, requests.push(body) - 1);
    if (answer === "silence") return;
    if (answer === "reset") return void request.socket.resetAndDestroy();
    if ("pieces" in answer) return writeStream(answer, request, response);
    if (answer.afterMs !== undefined) await sleep(answer.afterMs, undefined, { ref: false });
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { baseUrl, requests, headers, paths, hungUpCount: () => hungUpCount, close };
}

async function writeStream(stream: ScriptedStream, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", ...stream.headers });
  response.flushHeaders();
  for (const piece of stream.pieces) {
    response.write(piece);
    await sleep(1);
  }
  if (stream.staysOpen === true) return;
  if (stream.breaksOff === true) request.socket.resetAndDestroy();
  else response.end();
}

/** A streamed completion as servers send it, in these pieces of text. */
export function streaming(...texts: readonly string[]): ScriptedStream & { readonly pieces: string[] } {
  const events = texts.map((content) => ({ choices: [{ delta: { content }, finish_reason: null }] }));
  const last = { choices: [{ delta: {}, finish_reason: "stop" }] };
  return { pieces: [...[...events, last].map((event) => `data: ${JSON.stringify(event)}\n\n`), "data: [DONE]\n\n"] };
}

/** A completion as servers send it. */
export function saying(content: unknown): ScriptedReply {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return { status: 200, body: JSON.stringify({ choices: [{ message: { role: "assistant", content: text } }] }) };
}
