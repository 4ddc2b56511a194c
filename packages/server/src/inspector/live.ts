/**
 * Notices that something happened to the person's memory. Server-sent events are read with fetch, because an EventSource
 * cannot send a key in a header.
 */
import { signal } from "@preact/signals";
import { ApiProblem, personPath, request, sayLost } from "./api.js";

const settleMs = 600;

export const isLive = signal(false);
/** Grows a moment after something changed: what is shown is loaded again. */
export const changes = signal(0);

let settling: ReturnType<typeof setTimeout> | undefined;

/** Listens until it is told to stop. */
export function listenTo(person: string): () => void {
  const aborting = new AbortController();
  void listen(person, aborting.signal);
  return () => aborting.abort();
}

async function listen(person: string, aborted: AbortSignal): Promise<void> {
  try {
    const { body } = await request("GET", personPath(person, "events"), { signal: aborted });
    isLive.value = true;
    const reader = body!.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      // Comments only keep the connection open; a part can begin within an event.
      if (/^(?:event|data): /mu.test(part.value)) noteChange();
    }
    if (!aborted.aborted) sayLost();
  } catch (error) {
    if (!aborted.aborted && !(error instanceof ApiProblem)) sayLost();
  } finally {
    isLive.value = false;
  }
}

function noteChange(): void {
  clearTimeout(settling);
  settling = setTimeout(() => {
    changes.value += 1;
  }, settleMs);
}
