/**
 * Events of a person's memory as they happen. The server sends them to whoever is connected: what happens while nobody is
 * connected is not sent later, so after a reconnection the history says what came between.
 */
import type { MemoryEventName, MemoryEvents } from "mnemosyne-edge";
import { readLines } from "./bodies.js";
import { type Requests, eitherOf, explain, pause } from "./requests.js";

/** As in the library, except that of an error only the message travels. */
export type ClientEvents = Omit<MemoryEvents, "error"> & {
  readonly error: { readonly person: string; readonly message: string };
};

/** An event with its name. */
export type ClientEvent = {
  readonly [Name in MemoryEventName]: { readonly name: Name; readonly event: ClientEvents[Name] };
}[MemoryEventName];

export interface EventsOptions {
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** Called whenever events can come from now on; the second time and later, some may have been missed. */
  readonly onConnect?: () => void;
}

/** The server gives a sign of life every 15 s. */
const silenceMsMax = 45_000;
const pauseMsMin = 500;
const pauseMsMax = 30_000;

/** Ends with the signal, or when the loop is left; fails if the server refuses it. */
export async function* readEvents(
  requests: Requests,
  path: string,
  { signal, onConnect }: EventsOptions,
): AsyncGenerator<ClientEvent, void, undefined> {
  let pauseMs = pauseMsMin;
  while (signal?.aborted !== true) {
    const silence = new AbortController();
    let isHeard = true;
    const timer = setInterval(() => {
      if (!isHeard) silence.abort();
      isHeard = false;
    }, silenceMsMax);
    try {
      const ended = eitherOf(silence.signal, signal);
      const body = await requests.stream(path, { signal: ended, headers: { accept: "text/event-stream" } });
      onConnect?.();
      pauseMs = pauseMsMin;
      yield* eventsOf(readLines(body), () => (isHeard = true));
    } catch (error) {
      if (explain(error).status !== 0 && !isPassing(explain(error).status)) throw error;
    } finally {
      clearInterval(timer);
      silence.abort();
    }
    // The signal ends it without an error.
    await pause(pauseMs, signal).catch(() => {});
    pauseMs = Math.min(2 * pauseMs, pauseMsMax);
  }
}

/** A server that is being restarted, or a proxy in front of it. */
function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}

async function* eventsOf(
  lines: AsyncIterable<string>,
  onLine: () => void,
): AsyncGenerator<ClientEvent, void, undefined> {
  let name = "";
  let data = "";
  for await (const line of lines) {
    onLine();
    const [, field, value = ""] = /^(\w*)(?!\w):? ?(.*?)\r?$/su.exec(line) ?? [];
    if (line.trim() === "" && data !== "") yield { name, event: JSON.parse(data) as unknown } as ClientEvent;
    if (line.trim() === "") [name, data] = ["", ""];
    else if (field === "event") name = value;
    else if (field === "data") data += value;
  }
}
