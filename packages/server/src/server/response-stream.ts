/**
 * An answer that is sent as it is made. The next piece is asked for when the client has taken the one before, so a client that
 * does not read makes nobody work and nothing grow. If the source fails the connection is cut, because a stream that simply
 * ended would look complete; the reason is in the log only.
 */
import type { ServerResponse } from "node:http";
import type { Context } from "hono";
import type { ServerLog } from "./server-context.js";

export function responseStream(
  c: Context,
  pieces: AsyncIterable<string | Uint8Array>,
  log: ServerLog,
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
          log.error({ error, requestId: c.get("requestId") as string | undefined }, "a stream broke off");
          breakOff(c, controller);
        }
      },
      async cancel() {
        await source.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The adapter would print an error of the stream as it is; a connection that is gone it takes as a client's wish. */
function breakOff(c: Context, controller: ReadableStreamDefaultController): void {
  const { outgoing } = (c.env ?? {}) as { readonly outgoing?: ServerResponse };
  if (outgoing === undefined) controller.error(new Error("the stream broke off"));
  else outgoing.destroy();
}
