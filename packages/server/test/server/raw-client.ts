/** Clients that write bytes to a socket themselves. */
import { type Socket, connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export interface RawClient {
  readonly socket: Socket;
  /** What came back so far. */
  readonly received: () => string;
  readonly closed: Promise<void>;
}

export async function openRaw(port: number, text = ""): Promise<RawClient> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const pieces: Buffer[] = [];
  socket.on("data", (piece) => pieces.push(piece));
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  if (text !== "") socket.write(text);
  return { socket, received: () => Buffer.concat(pieces).toString("latin1"), closed };
}

/** Sends a text and waits until the server closes. */
export async function exchange(port: number, text: string): Promise<string> {
  const client = await openRaw(port, text);
  await client.closed;
  return client.received();
}

export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 2_000; tries++) {
    if (await isSo()) return;
    await delay(10);
  }
  throw new Error(`it never happened: ${what}`);
}
