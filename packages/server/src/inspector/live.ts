/**
 * What happens to the person's memory, as it happens. Server-sent events are read with fetch, because an EventSource cannot
 * send a key in a header.
 */
import { signal } from "@preact/signals";
import { ApiProblem, personPath, request, sayLost } from "./api.js";

export interface LiveEvent {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const keptMax = 200;
const settleMs = 600;

export const isLive = signal(false);
/** The newest first. */
export const liveEvents = signal<readonly LiveEvent[]>([]);
/** Grows a moment after something changed: what is shown is loaded again. */
export const changes = signal(0);

let settling: ReturnType<typeof setTimeout> | undefined;

/** Listens until it is told to stop. */
export function listenTo(person: string): () => void {
  const aborting = new AbortController();
  liveEvents.value = [];
  void listen(person, aborting.signal);
  return () => aborting.abort();
}

async function listen(person: string, aborted: AbortSignal): Promise<void> {
  try {
    const { body } = await request("GET", personPath(person, "events"), { signal: aborted });
    isLive.value = true;
    for await (const event of readEvents(body!)) note(event);
    if (!aborted.aborted) sayLost();
  } catch (error) {
    if (!aborted.aborted && !(error instanceof ApiProblem)) sayLost();
  } finally {
    isLive.value = false;
  }
}

function note(event: LiveEvent): void {
  liveEvents.value = [event, ...liveEvents.value].slice(0, keptMax);
  clearTimeout(settling);
  settling = setTimeout(() => {
    changes.value += 1;
  }, settleMs);
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<LiveEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop()!;
    for (const part of parts) {
      const event = parseEvent(part);
      if (event !== null) yield event;
    }
  }
}

function parseEvent(text: string): LiveEvent | null {
  const field = (name: string): string | undefined =>
    text
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const [name, data] = [field("event"), field("data")];
  if (name === undefined || data === undefined) return null;
  return { name, data: JSON.parse(data) as Record<string, unknown> };
}
