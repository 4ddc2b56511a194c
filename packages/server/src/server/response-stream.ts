/**
 * An answer that is sent as it is made. The next piece is asked for when the client has taken the one before, so a client that
 * does not read makes nobody work and nothing grow. If the source fails the connection is cut, because a stream that simply
 * ended would look complete.
 */
import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { Context } from "hono";

/** So many turns of the event loop are given to the headers to leave first. */
const turnCountMax = 100;

export function responseStream(
  c: Context,
  pieces: AsyncIterable<string | Uint8Array>,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await source.next();
          if (done === true) controller.close();
          else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
        } catch (error) {
          onFailure(error);
          await breakOff(c, controller);
        }
      },
      async cancel() {
        await source.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** After what has arrived, without the mark of an end. An error of the stream would drop what is still to be sent. */
async function breakOff(c: Context, controller: ReadableStreamDefaultController): Promise<void> {
  const { outgoing } = (c.env ?? {}) as { readonly outgoing?: ServerResponse };
  if (outgoing === undefined) return controller.error(new Error("the stream broke off"));
  for (let i = 0; i < turnCountMax && !outgoing.headersSent; i++) await setImmediate();
  outgoing.socket?.destroySoon();
}
