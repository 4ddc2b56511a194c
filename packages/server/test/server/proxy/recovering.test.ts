/** A server that starts looks for chats that were left open, without loading the memories of everybody. */
import type { ReadSelection, RecordSnapshot } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import { expect, it, onTestFinished } from "vitest";
import { ProxyServer, eventually } from "./proxy-server.js";
import { ScriptedUpstream } from "./scripted-upstream.js";

class CountingStore extends MemoryStore {
  readonly loaded: string[] = [];

  override async read(person: string, selection?: ReadSelection): Promise<RecordSnapshot> {
    if (selection?.kinds?.includes("memory") === true) this.loaded.push(person);
    return super.read(person, selection);
  }

  /** The next process opens it again. */
  override async close(): Promise<void> {}
}

it("only those are loaded who have one", async () => {
  const store = new CountingStore();
  const upstream = await ScriptedUpstream.start();
  onTestFinished(() => upstream.stop());
  const options = { path: ":memory:", upstream: { url: upstream.origin, quietSeconds: 0.05 }, memory: { store } };
  const first = await ProxyServer.start({ ...options, upstream: { url: upstream.origin } });
  for (const person of ["ada", "bob", "cleo"]) {
    await first.mnemosyne.person(person).commit({ summary: "I own a kayak.", keep: true }, { wait: true });
  }
  await first.post("/v1/chat/completions", { messages: [{ role: "user", content: "I sing." }], user: "bob" });
  await first.stop();
  store.loaded.length = 0;
  const second = await ProxyServer.start(options);
  onTestFinished(() => second.stop());
  await second.handle.recover();
  const outcomeOf = async (): Promise<string | undefined> =>
    (await second.history("bob")).find(({ turns }) => turns[0]?.text === "I sing.")?.outcome;
  await eventually(outcomeOf, (outcome) => outcome !== undefined && outcome !== "open");
  expect(new Set(store.loaded)).toEqual(new Set(["bob"]));
});
