/** Events over real connections: they come, survive a cut and a restart, and end when nobody wants them. */
import { afterAll, describe, expect, it } from "vitest";
import { type ClientEvent, MnemosyneClient } from "mnemosyne-edge-server/client";
import { Servers } from "../server/serving.js";
import { startFlakyProxy } from "./flaky-proxy.js";

const servers = new Servers();
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** Resolves with the number of connections so far, each time there is one more. */
class Connections {
  count = 0;
  #waiting: (() => void)[] = [];

  readonly onConnect = (): void => {
    this.count++;
    this.#waiting.splice(0).forEach((resolve) => resolve());
  };

  async reach(count: number): Promise<void> {
    while (this.count < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

describe("events", () => {
  it("come as the library tells them, and end with the loop", async () => {
    const { url, mnemosyne } = await servers.start();
    const ada = new MnemosyneClient({ url }).person("ada");
    const connections = new Connections();
    const seen: ClientEvent[] = [];
    const reading = (async () => {
      for await (const named of ada.events({ onConnect: connections.onConnect })) {
        seen.push(named);
        if (named.name === "forgotten") break;
      }
    })();
    await connections.reach(1);
    await new MnemosyneClient({ url }).person("bob").commit({ id: "b", summary: "Not ada's.", keep: true });
    const told: unknown[] = [];
    mnemosyne.person("ada").on("committed", (event) => told.push(event));
    await ada.commit({ id: "a", summary: "Line one.\nLine two: ünïcödé 🦜.", keep: true }, { wait: true });
    await ada.forget("a");
    await reading;
    expect(seen.map(({ name }) => name)).toEqual(["committed", "forgotten"]);
    expect(seen[0]!.event).toEqual(told[0]);
    expect(seen[1]!.event).toMatchObject({ person: "ada", ids: ["a"], reason: "requested" });
  });

  it("go on after a cut connection and after a restart of the server", async () => {
    const path = servers.folder.next();
    const first = await servers.start({ path });
    const port = Number(new URL(first.url).port);
    const proxy = await startFlakyProxy(first.url);
    closing.push(proxy.close);
    const ada = new MnemosyneClient({ url: proxy.url }).person("ada");
    const direct = new MnemosyneClient({ url: first.url }).person("ada");
    const connections = new Connections();
    const controller = new AbortController();
    const ids: string[] = [];
    const reading = (async () => {
      for await (const { name, event } of ada.events({ signal: controller.signal, onConnect: connections.onConnect })) {
        if (name === "committed") ids.push(event.id);
        if (ids.length === 3) controller.abort();
      }
    })();
    await connections.reach(1);
    await direct.commit({ id: "one", summary: "I bought one kettle.", keep: true }, { wait: true });
    while (ids.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    // The next bytes are withheld, and the connection is gone.
    proxy.cut(1);
    await direct.commit({ id: "lost", summary: "I lost two gloves.", keep: true }, { wait: true });
    await connections.reach(2);
    await direct.commit({ id: "two", summary: "I sold three hats.", keep: true }, { wait: true });
    while (ids.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await first.stop();
    await servers.start({ path, port });
    await connections.reach(3);
    await direct.commit({ id: "three", summary: "I found four keys.", keep: true }, { wait: true });
    await reading;
    expect(ids).toEqual(["one", "two", "three"]);
  });

  it("end without an error when the signal says so, while connected and while waiting", async () => {
    const { url } = await servers.start();
    const connections = new Connections();
    const controller = new AbortController();
    const reading = (async () => {
      for await (const _ of new MnemosyneClient({ url }).person("ada").events({
        signal: controller.signal,
        onConnect: connections.onConnect,
      }));
      return "ended";
    })();
    await connections.reach(1);
    controller.abort();
    expect(await reading).toBe("ended");
    const nowhere = new MnemosyneClient({ url: "http://127.0.0.1:1", retries: 0 }).person("ada");
    const signal = AbortSignal.timeout(50);
    for await (const _ of nowhere.events({ signal }));
    expect(signal.aborted).toBe(true);
  });

  it("fail if the server refuses them", async () => {
    const { url } = await servers.start();
    const elsewhere = new MnemosyneClient({ url: `${url}/nothing` }).person("ada");
    await expect(elsewhere.events().next()).rejects.toMatchObject({ status: 404, code: "route_unknown" });
  });
});
