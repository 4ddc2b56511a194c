/** An upstream that answers as its script says and remembers what it was asked. Real HTTP, on loopback. */
import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface AskedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  // eslint-disable-next-line typescript/no-explicit-any -- tests look into bodies of any shape
  readonly json: any;
}

export type Answer = (response: ServerResponse, request: AskedRequest) => void | Promise<void>;

export class ScriptedUpstream {
  readonly requests: AskedRequest[] = [];
  /** Requests whose connection was closed before they were answered. */
  abortedCount = 0;
  answer: Answer = completion("Noted.");
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((incoming, response) => void this.#handle(incoming, response));
  }

  static async start(): Promise<ScriptedUpstream> {
    const upstream = new ScriptedUpstream();
    await new Promise<void>((resolve) => upstream.#server.listen(0, "127.0.0.1", resolve));
    return upstream;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get last(): AskedRequest {
    return this.requests.at(-1)!;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    response.once("close", () => {
      if (!response.writableFinished) this.abortedCount++;
    });
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const text = Buffer.concat(pieces).toString();
    const request = {
      method: incoming.method!,
      path: incoming.url!,
      headers: incoming.headers,
      text,
      json: parse(text),
    };
    this.requests.push(request);
    await this.answer(response, request);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Pieces are written one by one, so that they arrive as pieces. */
export function stream(pieces: readonly (string | Buffer)[], headers: Record<string, string> = {}): Answer {
  return async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", ...headers });
    for (const piece of pieces) {
      response.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };
}

/** What is written, then the connection is closed without an end. */
export function cut(pieces: readonly string[], headers: Record<string, string> = {}): Answer {
  return async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream", ...headers });
    for (const piece of pieces) await new Promise((resolve) => response.write(piece, resolve));
    await new Promise((resolve) => setTimeout(resolve, 50));
    response.destroy();
  };
}

export function chatMessage(message: object): object {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "scripted",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

export function completion(text: string): Answer {
  return json(chatMessage({ content: text }));
}

export function event(data: object, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

function chatDelta(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return event({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "scripted", choices });
}

export function chatPieces(texts: readonly string[]): string[] {
  const deltas = texts.map((content) => chatDelta({ content }));
  return [chatDelta({ role: "assistant", content: "" }), ...deltas, chatDelta({}, "stop"), "data: [DONE]\n\n"];
}

export function chatCallPieces(id: string, name: string, inputs: readonly string[]): string[] {
  const begun = chatDelta({
    role: "assistant",
    content: null,
    tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: "" } }],
  });
  const pieces = inputs.map((given) => chatDelta({ tool_calls: [{ index: 0, function: { arguments: given } }] }));
  return [begun, ...pieces, chatDelta({}, "tool_calls"), "data: [DONE]\n\n"];
}

export function anthropicMessage(content: readonly object[]): object {
  const usage = { input_tokens: 1, output_tokens: 1 };
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "scripted",
    content,
    stop_reason: "end_turn",
    usage,
  };
}

export function anthropicPieces(texts: readonly string[]): string[] {
  const message = { ...anthropicMessage([]), stop_reason: null };
  const typed = (data: { type: string } & Record<string, unknown>): string => event(data, data.type);
  return [
    typed({ type: "message_start", message }),
    typed({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    'event: ping\ndata: {"type": "ping"}\n\n',
    ...texts.map((text) => typed({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
    typed({ type: "content_block_stop", index: 0 }),
    typed({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } }),
    typed({ type: "message_stop" }),
  ];
}

export function responseBody(id: string, output: readonly object[]): object {
  return { id, object: "response", created_at: 1, status: "completed", model: "scripted", output, error: null };
}

export function responseMessage(text: string): object {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { type: "message", id: "m1", role: "assistant", status: "completed", content };
}

export function responsePieces(id: string, texts: readonly string[]): string[] {
  const place = { item_id: "m1", output_index: 0, content_index: 0 };
  let number = 0;
  const typed = (data: { type: string } & Record<string, unknown>): string =>
    event({ ...data, sequence_number: number++ }, data.type);
  const item = responseMessage(texts.join(""));
  const part = { type: "output_text", text: "", annotations: [] };
  return [
    typed({ type: "response.created", response: { ...responseBody(id, []), status: "in_progress" } }),
    typed({
      type: "response.output_item.added",
      output_index: 0,
      item: { ...item, content: [], status: "in_progress" },
    }),
    typed({ type: "response.content_part.added", ...place, part }),
    ...texts.map((delta) => typed({ type: "response.output_text.delta", ...place, delta })),
    typed({ type: "response.output_text.done", ...place, text: texts.join("") }),
    typed({ type: "response.content_part.done", ...place, part: { ...part, text: texts.join("") } }),
    typed({ type: "response.output_item.done", output_index: 0, item }),
    typed({ type: "response.completed", response: responseBody(id, [item]) }),
  ];
}
