/**
 * Calls of the configured upstream, and of nothing else: the address comes from the settings, the path below it is fixed, and a
 * redirection is passed on, not followed. Bytes come as they are, packed or not; a reply is read as fast as it is passed on.
 */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { InputError } from "mnemosyne-edge";
import { RequestError } from "../problem.js";

export interface UpstreamCall {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** Ends the call, also while its reply arrives. */
  readonly signal: AbortSignal;
}

/** A version in a path, such as v1 and v1beta. */
const version = /^v\d+(?:(?:alpha|beta)\d*)?$/u;

/** The address below which the API is. One without a version in its path, such as http://localhost:11434, gets /v1. */
export function parseBase(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/u.test(url.protocol) || url.username !== "" || url.search !== "") {
    const message = `the upstream's address is ${JSON.stringify(address)}; write one such as http://localhost:11434/v1, without a name, password or query`;
    throw new InputError("option_invalid", message);
  }
  const path = url.pathname.replace(/(?<!\/)\/+$/u, "");
  return url.origin + (path.split("/").some((part) => version.test(part)) ? path : `${path}/v1`);
}

export class Upstream {
  readonly #agents = { "http:": new HttpAgent({ keepAlive: true }), "https:": new HttpsAgent({ keepAlive: true }) };
  readonly #silenceMsMax: number;

  constructor(silenceSecondsMax: number) {
    this.#silenceMsMax = silenceSecondsMax * 1_000;
  }

  /** Resolves with the reply's headers; its body is yet to be read. */
  async call(call: UpstreamCall): Promise<IncomingMessage> {
    try {
      return await this.#send(call);
    } catch (cause) {
      if (call.signal.aborted) throw cause;
      // A kept connection may have been closed at the other end just then; nothing has been answered on it.
      const isStale = cause instanceof StaleConnectionError;
      const error = isStale ? await this.#send(call).catch((again: unknown) => again) : cause;
      if (error instanceof Error) {
        throw new RequestError(
          "upstream_failed",
          `The upstream at ${call.url.origin} does not answer: ${error.message}`,
          {
            cause: error,
          },
        );
      }
      return error as IncomingMessage;
    }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #send({ method, url, headers, body, signal }: UpstreamCall): Promise<IncomingMessage> {
    const isHttps = url.protocol === "https:";
    const length = body === null ? {} : { "content-length": String(body.byteLength) };
    const options = { method, headers: { ...headers, ...length }, signal };
    const request = isHttps
      ? requestHttps(url, { ...options, agent: this.#agents["https:"] })
      : requestHttp(url, { ...options, agent: this.#agents["http:"] });
    return new Promise((resolve, reject) => {
      request.setTimeout(this.#silenceMsMax, () => {
        request.destroy(new Error(`nothing was received for ${this.#silenceMsMax / 1_000} s`));
      });
      request.once("response", resolve);
      // Also after the response: a reply that is cut off then ends its body with an error, which its reader gets.
      request.on("error", (error: NodeJS.ErrnoException) => {
        const isStale = request.reusedSocket && error.code === "ECONNRESET" && !signal.aborted;
        reject(isStale ? new StaleConnectionError(error.message) : error);
      });
      request.end(body ?? undefined);
    });
  }
}

class StaleConnectionError extends Error {}
