/**
 * A client that sends exactly the bytes it is given: node:http and fetch refuse or repair what a hostile one would send. One
 * connection for each request.
 */
import { connect } from "node:net";

export interface RawRequest {
  readonly method: string;
  /** As it stands in the request line; characters up to U+00FF are bytes. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface SendingOptions {
  /** Does not wait for the end of the body: when it holds, the connection is closed. */
  readonly isEnough?: (body: Buffer) => boolean;
}

export function sendRaw(url: string, request: RawRequest, { isEnough }: SendingOptions = {}): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(url);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytesOf(request, host)));
    const describe = (reason: string): Error =>
      new Error(
        `${reason}: ${request.method} ${request.target.slice(0, 300)} (${Buffer.concat(pieces).length} bytes back)`,
      );
    socket.setTimeout(60_000, () => socket.destroy(describe("no answer")));
    socket.on("data", (piece) => {
      pieces.push(piece);
      if (isEnough === undefined) return;
      const answer = readAnswer(Buffer.concat(pieces), "so far");
      if (answer === null || !isEnough(answer.body)) return;
      socket.destroy();
      resolve(answer);
    });
    // A connection may be reset after the answer has come, when the server did not want the whole body.
    const end = (error?: Error): void => {
      const answer = readAnswer(Buffer.concat(pieces), request.method === "HEAD" ? "head" : "whole");
      if (answer === null) reject(error ?? describe("no whole answer"));
      else resolve(answer);
    };
    socket.on("error", end);
    socket.on("close", () => end());
  });
}

function bytesOf({ method, target, headers, body }: RawRequest, host: string): Buffer {
  const all: Record<string, string> = { host, connection: "close", ...headers };
  if (body !== undefined && all["content-length"] === undefined) all["content-length"] = String(body.length);
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
  return body === undefined ? head : Buffer.concat([head, body]);
}

/** Null if it is not complete. */
function readAnswer(bytes: Buffer, extent: "whole" | "so far" | "head"): RawAnswer | null {
  const split = bytes.indexOf("\r\n\r\n");
  if (split === -1) return null;
  const [first = "", ...lines] = bytes.subarray(0, split).toString("latin1").split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const rest = bytes.subarray(split + 4);
  const status = Number(first.split(" ")[1]);
  const answer = (body: Buffer): RawAnswer => ({ status, headers, body });
  if (extent === "head" || status === 204 || status === 304) return answer(Buffer.alloc(0));
  if (headers["transfer-encoding"] === "chunked") {
    const { body, isWhole } = readChunks(rest);
    return extent === "whole" && !isWhole ? null : answer(body);
  }
  const length = Number(headers["content-length"] ?? rest.length);
  return extent === "whole" && rest.length < length ? null : answer(rest.subarray(0, length));
}

function readChunks(bytes: Buffer): { readonly body: Buffer; readonly isWhole: boolean } {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = lineEnd === -1 ? NaN : Number.parseInt(bytes.subarray(at, lineEnd).toString("latin1"), 16);
    const end = lineEnd + 2 + size;
    if (size === 0) return { body: Buffer.concat(chunks), isWhole: true };
    if (Number.isNaN(size) || end > bytes.length) return { body: Buffer.concat(chunks), isWhole: false };
    chunks.push(bytes.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}
