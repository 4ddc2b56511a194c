/**
 * The whole server in a process of its own, with every kind of hostile client at once: those who mean well are served, and
 * its memory stays bounded. How each kind ends is in hostile-clients.test.ts.
 */
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { type RawClient, openRaw, until } from "../../test/server/raw-client.js";
import { ServedProcess } from "../../test/server/served-process.mjs";

const mebibyte = 2 ** 20;
const scratch = new ScratchFolder();
const script = fileURLToPath(new URL("../../test/server/hashing-server.mjs", import.meta.url));
const head = "HTTP/1.1\r\nhost: localhost\r\n";
const person = "/v1/persons/ada";
/** What one import may have, and as much for everything else. */
const grownBytesMax = 512 * mebibyte;

let served: ServedProcess;
const clients: RawClient[] = [];

beforeAll(async () => {
  served = await ServedProcess.start({ path: scratch.next(), script });
});
afterAll(async () => {
  for (const { socket } of clients) socket.destroy();
  await served.kill();
});

async function openMany(count: number, text: string): Promise<RawClient[]> {
  const opened = await Promise.all(Array.from({ length: count }, () => openRaw(served.port, text)));
  clients.push(...opened);
  return opened;
}

function call(path: string, body?: object): Promise<Response> {
  const url = `http://127.0.0.1:${served.port}${path}`;
  const headers = { "content-type": "application/json" };
  return body === undefined ? fetch(url) : fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Pushes bytes until they are refused or all are sent; resolves with how the answer begins. */
function pushBody(path: string, byteCount: number): Promise<string> {
  const piece = `${"x".repeat(65_535)}\n`;
  return new Promise((resolve) => {
    const socket = connect({ port: served.port, host: "127.0.0.1" });
    let received = "";
    let sentCount = 0;
    const push = (): void => {
      while (sentCount < byteCount) {
        sentCount += piece.length;
        if (!socket.write(`10000\r\n${piece}\r\n`)) return;
      }
      socket.write("0\r\n\r\n");
    };
    socket.on("data", (data) => {
      received += data.toString("latin1");
      resolve(received.slice(0, 12));
      socket.destroy();
    });
    socket.on("error", () => resolve(received.slice(0, 12)));
    socket.on("close", () => resolve(received.slice(0, 12)));
    socket.on("drain", push);
    socket.write(`POST ${path} ${head}content-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n`);
    push();
  });
}

it("takes two imports at once, and asks the others to come again", async () => {
  const slow = `POST ${person}/import ${head}content-type: application/x-ndjson\r\ncontent-length: 1000\r\n\r\n{`;
  const held = await openMany(2, slow);
  const send = (): Promise<Response> =>
    fetch(`http://127.0.0.1:${served.port}${person}/import`, {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: '{"summary":"Ada keeps bees."}\n',
    });
  let answer = await send();
  // The two may not have been read yet.
  for (let i = 0; i < 50 && answer.status === 200; i++) answer = await send();
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: "too_busy" });
  for (const { socket } of held) socket.destroy();
  await until(async () => (await send()).status === 200, "there is room for an import again");
});

it("serves others through 2,000 idle connections, half-sent requests, huge bodies and streams that nobody reads", async () => {
  await call(`${person}/interactions?wait=true`, { text: "I keep bees on the roof.", keep: true });
  const before = served.memory()!.resident;
  await openMany(2_000, "");
  await openMany(100, `GET ${person}/core ${head}x-slow: `);
  await openMany(100, `POST ${person}/recall ${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{`);
  const deaf = await openMany(50, `GET ${person}/events ${head}\r\n`);
  for (const { socket } of deaf) socket.pause();
  const bodies = [`${person}/interactions`, `${person}/import`].map((path) => pushBody(path, 1_024 * mebibyte));
  const statuses: number[] = [];
  for (let i = 0; i < 50; i++) {
    const said = { text: `Hive ${i} has ${i * 7} frames.`, keep: true };
    const answers = await Promise.all([
      call(`${person}/interactions`, said),
      call(`${person}/recall`, { query: `How many frames has hive ${i}?` }),
      call("/health"),
    ]);
    statuses.push(...answers.map(({ status }) => status));
  }
  expect(statuses).toEqual(Array.from({ length: 50 }, () => [202, 200, 200]).flat());
  expect(await Promise.all(bodies)).toEqual(["HTTP/1.1 413", "HTTP/1.1 413"]);
  expect(served.memory()!.residentMax - before).toBeLessThan(grownBytesMax);
  expect((await call(`${person}/stats`)).status).toBe(200);
});
