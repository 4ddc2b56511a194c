/** Requests as a client without any library sends them, and what comes back. */
import { request as sendRequest } from "node:http";
import { expect } from "vitest";
import type { Problem } from "../../../src/server/problem.js";

export interface Reply<Body = never> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

export interface Asked {
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls of one server. Bodies are whatever the test says they are. */
export class Caller {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  // eslint-disable-next-line typescript/no-explicit-any -- a test says what it expects by reading it
  async call<Body = any>(method: string, path: string, { body, raw, headers = {} }: Asked = {}): Promise<Reply<Body>> {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(sent === undefined ? {} : { body: sent as string }),
    });
    const text = await answer.text();
    const isJson = /json/u.test(answer.headers.get("content-type") ?? "") && text !== "" && !text.includes("}\n{");
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: (isJson ? JSON.parse(text) : undefined) as Body,
    };
  }

  /** Must be refused, with a problem document that says so. */
  async refused(
    status: number,
    code: string,
    method: string,
    path: string,
    asked: Asked = {},
  ): Promise<Reply<Problem>> {
    const reply = await this.call<Problem>(method, path, asked);
    expect({ path, status: reply.status, code: reply.body?.code }).toEqual({ path, status, code });
    expect(reply.headers.get("content-type")).toBe("application/problem+json");
    expect(reply.body).toMatchObject({
      type: `urn:mnemosyne:problem:${code}`,
      title: expect.any(String),
      detail: expect.any(String),
      status,
    });
    return reply;
  }
}

/** Without the changes that fetch makes to an address. */
export async function sendRaw(url: string, method: string, path: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = sendRequest({ hostname, port, method, path, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      answer.on("end", () => resolve({ status: answer.statusCode!, text }));
    });
    request.on("error", reject).end();
  });
}
