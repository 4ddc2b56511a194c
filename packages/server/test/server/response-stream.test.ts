/** Streams of answers: as fast as they are read, and cut off rather than ended if their source fails. */
import { Hono } from "hono";
import { afterEach, expect, it, vi } from "vitest";
import { type Listening, listen } from "../../src/server/listening.js";
import { responseStream } from "../../src/server/response-stream.js";
import { loopbackSettings, recordingLog, shortTimes } from "./hostile-server.js";
import { openRaw, until } from "./raw-client.js";

const log = recordingLog();
let listening: Listening | undefined;
afterEach(async () => {
  await listening?.stop();
  vi.restoreAllMocks();
});

async function start(pieces: () => AsyncIterable<string | Uint8Array>): Promise<Listening> {
  const app = new Hono();
  app.get("/", (c) => c.body(responseStream(c, pieces(), () => log.error({}, "a stream broke off"))));
  listening = await listen(app, loopbackSettings, log, shortTimes);
  return listening;
}

it("arrives whole, text and bytes", async () => {
  const { url } = await start(async function* () {
    yield "one ";
    yield new TextEncoder().encode("twö");
  });
  expect(await (await fetch(url)).text()).toBe("one twö");
});

it("is cut off if its source fails, and only its owner knows why", async () => {
  const printed = [vi.spyOn(console, "error"), vi.spyOn(console, "info"), vi.spyOn(console, "log")];
  const { url } = await start(async function* () {
    yield "one ".repeat(100_000);
    throw new Error("Ada moved to Lisbon");
  });
  const response = await fetch(url);
  await expect(response.text()).rejects.toThrow();
  await until(() => log.lines.some(({ message }) => message === "a stream broke off"), "it is logged");
  expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([]);
});

it("is not made faster than it is read, and its source is stopped when nobody reads", async () => {
  let madeBytes = 0;
  let isOver = false;
  const { port } = await start(async function* () {
    try {
      for (;;) {
        madeBytes += 65_536;
        yield new Uint8Array(65_536);
      }
    } finally {
      isOver = true;
    }
  });
  const client = await openRaw(port);
  client.socket.pause();
  client.socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await until(() => isOver, "the source is told");
  expect(madeBytes).toBeLessThan(16 * 2 ** 20);
  client.socket.destroy();
});
