/** A stream of events on its way to a client: says when it ends, and ends it for a client that does not read. */

/** Notices wait here for a slow client; beyond this it has stopped reading, and comes back for what it missed. */
export const unreadBytesMax = 1024 * 1024;

export function watchStream(response: Response, bytesMax: number, onEnd: () => void): Response {
  const { body, status, headers } = response;
  if (body === null) {
    onEnd();
    return response;
  }
  const reader = body.getReader();
  let isEnded = false;
  const end = (): void => {
    if (!isEnded) onEnd();
    isEnded = true;
  };
  const pump = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || isEnded) break;
      controller.enqueue(value);
      if ((controller.desiredSize ?? 0) < 0) {
        await reader.cancel();
        break;
      }
    }
    end();
    controller.close();
  };
  const watched = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        pump(controller).catch((error: unknown) => {
          end();
          controller.error(error);
        });
      },
      cancel: async (reason) => {
        end();
        await reader.cancel(reason);
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: bytesMax }),
  );
  return new Response(watched, { status, headers });
}
