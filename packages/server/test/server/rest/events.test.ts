/** Server-sent events on real sockets: what they say, who is cut off, and how they end. */
import { type Socket, connect } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import type { PersonMemory } from "../../../../memory/src/index.js";
import { streamEvents } from "../../../src/server/rest/event-stream.js";
import { Servers, openMemory } from "../serving.js";

const servers = new Servers();
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** A reader of one stream, with what it has read so far. */
class EventReader {
  text = "";
  isEnded = false;
  readonly #changes: (() => void)[] = [];

  constructor(socket: Socket) {
    socket.setEncoding("utf8").on("data", (piece: string) => {
      this.text += piece;
      this.#changes.splice(0).forEach((change) => change());
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      this.isEnded = true;
      this.#changes.splice(0).forEach((change) => change());
    });
  }

  async until(isReached: (reader: this) => boolean): Promise<void> {
    while (!isReached(this)) await new Promise<void>((resolve) => this.#changes.push(resolve));
  }
}

function subscribe(url: string, method = "GET"): Socket {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  closing.push(() => socket.destroy());
  socket.write(`${method} /v1/persons/ada/events HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return socket;
}

describe("GET events", () => {
  it("tells what happens to this person, and nobody else's", async () => {
    const { url, mnemosyne } = await servers.start();
    const reader = new EventReader(subscribe(url));
    await reader.until(({ text }) => text.includes(": events of this person"));
    expect(reader.text).toMatch(/content-type: text\/event-stream/iu);
    await mnemosyne.person("bob").commit({ id: "b", summary: "I am Bob.", keep: true }, { wait: true });
    await mnemosyne.person("ada").commit({ id: "a", summary: "I am\nAda.", keep: true }, { wait: true });
    await mnemosyne.person("ada").forget("a");
    await reader.until(({ text }) => text.includes("event: forgotten"));
    expect(reader.text).toMatch(/event: committed\ndata: \{[^\n]*"person":"ada"[^\n]*\}\n\n/u);
    expect(reader.text).not.toContain('"bob"');
  });

  it("ends when the server stops, at once", async () => {
    const { url, stop } = await servers.start({ limits: { stopSecondsMax: 3_600 } });
    const reader = new EventReader(subscribe(url));
    await reader.until(({ text }) => text.includes(": events of this person"));
    await stop();
    await reader.until(({ isEnded }) => isEnded);
    // The last chunk: it ended in order, and was not cut.
    expect(reader.text).toMatch(/0\r\n\r\n$/u);
  });

  it("answers HEAD without a stream, and frees the place at once", async () => {
    const { url } = await servers.start({ limits: { requestsAtOnceMax: 2 } });
    for (let i = 0; i < 5; i++) {
      const answer = await fetch(`${url}/v1/persons/ada/events`, { method: "HEAD" });
      expect(answer.status).toBe(200);
    }
  });

  it("frees the place of a reader that leaves", async () => {
    const { url } = await servers.start({ limits: { requestsAtOnceMax: 2 } });
    for (let count = 0; count < 5;) {
      const socket = subscribe(url);
      const reader = new EventReader(socket);
      await reader.until(({ text }) => /: events of this person|429 Too Many/u.test(text));
      // The one before may still be leaving; if its place were never freed, this would never end.
      if (!reader.text.includes("429")) count++;
      socket.destroy();
    }
  });

  it("ends for a reader that never reads once a megabyte waits for it, and others go on", async () => {
    const mnemosyne = await openMemory(":memory:");
    closing.push(() => mnemosyne.close());
    const ada = mnemosyne.person("ada");
    const never = new AbortController().signal;
    const [unread, read] = [streamEvents(ada, [never]).body!, streamEvents(ada, [never]).body!];
    let heard = "";
    const reading = (async () => {
      for await (const piece of read) heard += new TextDecoder().decode(piece as Uint8Array);
    })();
    const big = await forgetMany(ada, "big");
    expect(big).toBeGreaterThan(2 ** 20);
    for (const id of ["second", "third"])
      await ada.commit({ id, summary: `The ${id} one.`, keep: true }, { wait: true });
    let late = "";
    for await (const piece of unread) late += new TextDecoder().decode(piece as Uint8Array);
    expect(late.length).toBeGreaterThan(2 ** 20);
    expect(late).not.toContain('"second"');
    while (!heard.includes('"third"')) await new Promise((resolve) => setTimeout(resolve, 5));
    void reading;
  });
});

/** One event with the ids of all of them. Open conversations are not processed, so that it is quick. */
async function forgetMany(person: PersonMemory, name: string): Promise<number> {
  const ids = Array.from({ length: 5_600 }, (_, i) => `${name}-${String(i).padStart(195 - name.length, "0")}`);
  for (const id of ids) await (await person.conversation({ id })).add("I am one of many.");
  await person.forget(ids);
  return ids.join("").length;
}
