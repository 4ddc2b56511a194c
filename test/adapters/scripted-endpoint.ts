/** A server on the loopback that plays an OpenAI-compatible endpoint by a script. */
import { type IncomingHttpHeaders, createServer } from "node:http";
import type { AddressInfo } from "node:net";

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
  | { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> };

export interface ScriptedEndpoint {
  readonly baseUrl: string;
  readonly requests: ChatRequest[];
  readonly headers: IncomingHttpHeaders[];
  readonly paths: string[];
  close(): Promise<void>;
}

export async function startEndpoint(
  reply: (request: ChatRequest, index: number) => ScriptedReply,
): Promise<ScriptedEndpoint> {
  const requests: ChatRequest[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const paths: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as ChatRequest;
    headers.push(request.headers);
    paths.push(`${request.method} ${request.url}`);
    const answer = reply(body, requests.push(body) - 1);
    if (answer === "silence") return;
    if (answer === "reset") return void request.socket.resetAndDestroy();
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { baseUrl, requests, headers, paths, close };
}

/** A completion as servers send it. */
export function saying(content: unknown): ScriptedReply {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return { status: 200, body: JSON.stringify({ choices: [{ message: { role: "assistant", content: text } }] }) };
}
