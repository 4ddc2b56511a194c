/**
 * Server-sent events of one person's memory. A reader that is slow loses nothing up to a limit; beyond it the stream ends,
 * and whoever reconnects reads the history for what came between.
 */
import type { MemoryEventName, PersonMemory } from "mnemosyne-edge";
import { followSignals, onceAborted } from "mnemosyne-edge/internal/signals.js";

const eventNames: readonly MemoryEventName[] = [
  "committed",
  "paired",
  "discarded",
  "forgetAsked",
  "updated",
  "edited",
  "forgotten",
  "core",
  "error",
];
const waitingBytesMax = 2 ** 20;
const heartbeatMs = 15_000;

/** Ends when one of the signals is aborted: the caller is gone, or the server stops. */
export function streamEvents(person: PersonMemory, signals: readonly AbortSignal[]): Response {
  const encoder = new TextEncoder();
  const { controller: listening, release } = followSignals(...signals);
  const end = (): void => listening.abort();
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (text: string): void => {
          if (listening.signal.aborted) return;
          if ((controller.desiredSize ?? 0) <= 0) end();
          else controller.enqueue(encoder.encode(text));
        };
        for (const name of eventNames) {
          person.on(name, (event) => send(writeEvent(name, event)), { signal: listening.signal });
        }
        const heartbeat = setInterval(() => send(": still here\n\n"), heartbeatMs).unref();
        const close = (): void => {
          clearInterval(heartbeat);
          release();
          // A stream that its reader gave up cannot be closed any more.
          if (!isCancelled) controller.close();
        };
        onceAborted(listening.signal, close);
        if (listening.signal.aborted) close();
        send(": events of this person\n\n");
      },
      cancel: () => {
        isCancelled = true;
        end();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: waitingBytesMax }),
  );
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" };
  return new Response(body, { headers });
}

/** An error is told by its message: what it is caused by may hold anything. */
function writeEvent(name: MemoryEventName, event: object): string {
  const { error, ...rest } = event as { error?: unknown };
  const told =
    error === undefined ? event : { ...rest, message: error instanceof Error ? error.message : String(error) };
  return `event: ${name}\ndata: ${JSON.stringify(told)}\n\n`;
}
