/** Clients that hold what they were given: others are served meanwhile, and memory stays bounded. */
import { request } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it } from "vitest";
import { defaultTimes } from "../../src/server/listening.js";
import { defaultLimits } from "../../src/server/server-context.js";
import { type HostileServer, loopbackSettings, shortTimes, startHostileServer } from "./hostile-server.js";
import { openRaw, until } from "./raw-client.js";

const mebibyte = 2 ** 20;
/** More than anything here should take; far less than what the clients try to make us keep. */
const growthBytesMax = 96 * mebibyte;

let server: HostileServer;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.listening.stop();
});

async function open(text = ""): Promise<Awaited<ReturnType<typeof openRaw>>> {
  const client = await openRaw(server.listening.port, text);
  sockets.push(client.socket);
  return client;
}

async function askOften(count: number): Promise<number[]> {
  const ask = async (): Promise<number> => (await fetch(server.listening.url + server.path)).status;
  return Promise.all(Array.from({ length: count }, ask));
}

async function expectOthersServed(): Promise<void> {
  expect(await askOften(20)).toEqual(Array.from({ length: 20 }, () => 200));
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Memory of this process that is in use: the server's and its clients'. */
function bytesHeld(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const head = "HTTP/1.1\r\nhost: localhost\r\n";

describe("a slow client", () => {
  it("that never ends its headers is refused in time, and others are served", async () => {
    server = await startHostileServer({}, { ...shortTimes, requestMs: 600_000 });
    const slow = await Promise.all(Array.from({ length: 50 }, () => open(`GET ${server.path} ${head}x-slow: `)));
    const dripping = setInterval(() => slow.forEach(({ socket }) => socket.write("a")), 20);
    await expectOthersServed();
    await Promise.all(slow.map(({ closed }) => closed));
    clearInterval(dripping);
    expect(slow.filter(({ received }) => received().startsWith("HTTP/1.1 408 "))).toHaveLength(50);
    expect(slow[0]!.received()).toContain('"code":"request_invalid"');
  });

  it("that drips its body is ended at the limit of the request", async () => {
    server = await startHostileServer();
    const slow = await Promise.all(
      Array.from({ length: 20 }, () => open(`POST ${server.bodyPath} ${head}content-length: 1000000\r\n\r\n`)),
    );
    const dripping = setInterval(() => slow.forEach(({ socket }) => socket.write("a")), 20);
    await expectOthersServed();
    await Promise.all(slow.map(({ closed }) => closed));
    clearInterval(dripping);
    expect(slow.filter(({ received }) => received().includes(" 200 "))).toEqual([]);
  });

  it("that announces a body and sends nothing is disconnected as stalled", async () => {
    server = await startHostileServer({}, { ...shortTimes, requestMs: 600_000, headersMs: 60_000 });
    const client = await open(`POST ${server.bodyPath} ${head}content-length: 10\r\n\r\n`);
    await expectOthersServed();
    await client.closed;
    expect(server.log.lines.map(({ fields }) => fields)).toContainEqual({ waitedFor: "sending" });
  });
});

describe("a half-open socket", () => {
  it("that never says anything is closed, and others are served", async () => {
    server = await startHostileServer();
    const silent = await Promise.all(Array.from({ length: 100 }, () => open()));
    await expectOthersServed();
    await Promise.all(silent.map(({ closed }) => closed));
  });

  it("whose client closed its side gets its answer all the same", async () => {
    server = await startHostileServer();
    const client = await open();
    client.socket.end(`GET ${server.path} ${head}connection: close\r\n\r\n`);
    await client.closed;
    expect(client.received()).toContain("200 OK");
  });
});

/** Sends as much as is taken, up to that many bytes. */
async function sendLargeBody(
  path: string,
  byteCount: number,
  headers: Record<string, string>,
): Promise<{ status: number; code: string; sentBytes: number; grownBytes: number }> {
  const before = bytesHeld();
  let mostBytes = before;
  let sentBytes = 0;
  const piece = Buffer.alloc(mebibyte, "x");
  return new Promise((resolve, reject) => {
    const client = request(server.listening.url + path, { method: "POST", headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (data: Buffer) => pieces.push(data));
      response.on("error", () => {});
      response.on("end", () => {
        isAnswered = true;
        const { code = "" } = JSON.parse(Buffer.concat(pieces).toString()) as { code?: string };
        client.destroy();
        resolve({ status: response.statusCode!, code, sentBytes, grownBytes: mostBytes - before });
      });
    });
    let isAnswered = false;
    client.on("error", (error) => (isAnswered ? undefined : reject(error)));
    const send = (): void => {
      if (sentBytes % (16 * mebibyte) === 0) mostBytes = Math.max(mostBytes, bytesHeld());
      if (isAnswered || client.destroyed) return;
      if (sentBytes >= byteCount) return void client.end();
      sentBytes += piece.byteLength;
      if (client.write(piece)) setImmediate(send);
      else client.once("drain", send);
    };
    send();
  });
}

describe("a body of 1 GB", () => {
  const gigabyte = 1_024 * mebibyte;

  it.each([
    ["announced", { "content-length": String(gigabyte) }],
    ["in pieces, without a length", { "transfer-encoding": "chunked" }],
  ])("%s is refused with 413 and not kept", async (_, headers) => {
    server = await startHostileServer(
      { limits: { ...loopbackSettings.limits, streamBytesMax: 32 * mebibyte } },
      defaultTimes,
    );
    for (const path of [server.bodyPath, server.streamBodyPath]) {
      const { status, code, sentBytes, grownBytes } = await sendLargeBody(path, gigabyte, headers);
      expect({ status, code }).toEqual({ status: 413, code: "body_too_large" });
      expect(sentBytes).toBeLessThan(gigabyte / 4);
      expect(grownBytes).toBeLessThan(growthBytesMax);
    }
    await expectOthersServed();
  });

  it("announced is refused before a byte of it is sent", async () => {
    server = await startHostileServer({}, defaultTimes);
    const client = await open(`POST ${server.bodyPath} ${head}content-length: ${gigabyte}\r\n\r\n`);
    await until(() => client.received().startsWith("HTTP/1.1 413 "), "a refusal");
  });

  it("is read as a stream where that many bytes are allowed, without being kept", async () => {
    server = await startHostileServer(
      { limits: { ...loopbackSettings.limits, streamBytesMax: gigabyte } },
      defaultTimes,
    );
    const { status, sentBytes, grownBytes } = await sendLargeBody(server.streamBodyPath, gigabyte, {});
    expect({ status, sentBytes }).toEqual({ status: 200, sentBytes: gigabyte });
    expect(grownBytes).toBeLessThan(growthBytesMax);
  });
});

describe("idle connections", () => {
  const idleCount = 2_000;

  it("2,000 of them do not keep others from being served, and go when their time is up", async () => {
    server = await startHostileServer(
      {},
      { ...shortTimes, headersMs: 5_000, requestMs: 600_000, keepAliveMs: 5_000, stalledMs: 600_000 },
    );
    const before = bytesHeld();
    const idle: Awaited<ReturnType<typeof openRaw>>[] = [];
    for (let count = 0; count < idleCount; count += 100) {
      // Half of them have asked something and stay; half never say anything.
      const texts = Array.from({ length: 100 }, (_, index) =>
        index % 2 === 0 ? `GET ${server.path} ${head}\r\n` : "",
      );
      idle.push(...(await Promise.all(texts.map((text) => open(text)))));
    }
    expect(idle).toHaveLength(idleCount);
    expect((await askOften(200)).filter((status) => status === 200)).toHaveLength(200);
    expect(bytesHeld() - before).toBeLessThan(growthBytesMax);
    await Promise.all(idle.map(({ closed }) => closed));
    expect(idle.filter(({ received }) => received().startsWith("HTTP/1.1 200 "))).toHaveLength(idleCount / 2);
  });

  it("beyond the limit are dropped, and those before are served", async () => {
    server = await startHostileServer({ limits: { ...loopbackSettings.limits, connectionCountMax: 10 } }, defaultTimes);
    const first = await Promise.all(Array.from({ length: 10 }, () => open()));
    const beyond = await Promise.all(Array.from({ length: 5 }, () => open()));
    await Promise.all(beyond.map(({ closed }) => closed));
    expect(server.log.lines.filter(({ message }) => message.includes("too many connections"))).toHaveLength(5);
    first[0]!.socket.write(`GET ${server.path} ${head}\r\n`);
    await until(() => first[0]!.received().includes("200 OK"), "an answer to the first");
  });
});

describe("a client that never reads its stream", () => {
  it("is not written to without end, and is disconnected", async () => {
    server = await startHostileServer();
    const before = bytesHeld();
    const deaf = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const client = await open();
        client.socket.pause();
        client.socket.write(`GET ${server.endlessPath} ${head}\r\n`);
        return client;
      }),
    );
    await expectOthersServed();
    await until(() => server.cancelledCount() === deaf.length, "every stream is ended");
    // What the system buffers for ten sockets, and no more.
    expect(server.producedBytes()).toBeLessThan(10 * 16 * mebibyte);
    expect(bytesHeld() - before).toBeLessThan(growthBytesMax);
    expect(
      server.log.lines.filter(({ fields }) => "waitedFor" in fields && fields.waitedFor === "reading"),
    ).toHaveLength(10);
  });

  it("while one that reads slowly keeps its stream", async () => {
    server = await startHostileServer();
    const client = await open(`GET ${server.endlessPath} ${head}\r\n`);
    let readBytes = 0;
    client.socket.on("data", (piece) => {
      readBytes += piece.length;
      client.socket.pause();
      setTimeout(() => client.socket.resume(), 20);
    });
    await delay(3 * shortTimes.stalledMs);
    expect(client.socket.destroyed).toBe(false);
    expect(server.cancelledCount()).toBe(0);
    expect(readBytes).toBeGreaterThan(0);
  });
});

it("requests at once of one caller are limited, streams included, and are free again when they end", async () => {
  server = await startHostileServer({ limits: { ...defaultLimits, requestsAtOnceMax: 2 } }, defaultTimes);
  const streams = await Promise.all([0, 1].map(() => open(`GET ${server.endlessPath} ${head}\r\n`)));
  await until(() => streams.every(({ received }) => received().includes("200 OK")), "both streams begin");
  const refused = await fetch(server.listening.url + server.path);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(await refused.json()).toMatchObject({ code: "rate_limited", status: 429 });
  streams[0]!.socket.destroy();
  await until(async () => (await fetch(server.listening.url + server.path)).status === 200, "a place is free again");
});
