/**
 * The bytes of a reply on their way to the client, unchanged. They are pulled: a client that reads slowly slows the upstream
 * down, and nothing piles up in between.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";

export interface Passing {
  /** Gets each piece before it is passed on. */
  readonly onBytes: (bytes: Uint8Array) => void;
  /** Called once, whether the reply ended, was cut off, or the client left. */
  readonly onEnd: () => void;
  /** Ends the call. */
  readonly signal: AbortSignal;
  /** The connection to the client; null where there is none, as in a call without a network. */
  readonly outgoing: ServerResponse | null;
}

export function passThrough(
  reply: IncomingMessage,
  { onBytes, onEnd, signal, outgoing }: Passing,
): ReadableStream<Uint8Array> {
  const pieces = reply[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener("abort", end);
    onEnd();
  };
  // Also if the client reads nothing at that time.
  signal.addEventListener("abort", end);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (done === true) {
            end();
            controller.close();
            return;
          }
          onBytes(value);
          controller.enqueue(value);
        } catch (error) {
          end();
          await cutOff(outgoing, controller, error);
        }
      },
      cancel() {
        end();
        reply.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

/** So many turns of the event loop are given to the headers to leave first. */
const turnCountMax = 100;

/**
 * A reply that was cut off must not look whole: the client's connection is closed after what has arrived, without the mark of an
 * end. An error of the stream would do so too, but drop what is still to be sent.
 */
async function cutOff(
  outgoing: ServerResponse | null,
  controller: ReadableStreamDefaultController,
  error: unknown,
): Promise<void> {
  if (outgoing === null) {
    controller.error(error);
    return;
  }
  for (let i = 0; i < turnCountMax && !outgoing.headersSent; i++) await setImmediate();
  outgoing.socket?.destroySoon();
}
