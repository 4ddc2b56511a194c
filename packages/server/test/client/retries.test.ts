/** Writes through a proxy that cuts connections after the request reached the server: each is done once. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MnemosyneClient, type PersonClient } from "mnemosyne-edge-server/client";
import { Servers, type Serving } from "../server/serving.js";
import { type FlakyProxy, startFlakyProxy } from "./flaky-proxy.js";

const servers = new Servers();
let serving: Serving;
let proxy: FlakyProxy;
let ada: PersonClient;

beforeAll(async () => {
  serving = await servers.start();
  proxy = await startFlakyProxy(serving.url);
  ada = new MnemosyneClient({ url: proxy.url }).person("ada");
});

afterAll(() => proxy.close());

/** Twice the answer is lost; the third attempt gets it. */
async function cutTwice<Result>(work: () => Promise<Result>): Promise<Result> {
  const before = { ...proxy.counts };
  proxy.cut(2);
  const result = await work();
  expect(proxy.counts.cut - before.cut).toBe(2);
  expect(proxy.counts.passed - before.passed).toBeGreaterThanOrEqual(3);
  return result;
}

describe("a write whose answer is lost", () => {
  it("commits once", async () => {
    const texts = ["My sister Mia lives in Porto.", "I have a blue door.", "Tim plays the trombone."];
    for (const text of texts) await cutTwice(() => ada.commit(text));
    const result = await cutTwice(() => ada.commit("My dentist is Dr. Sousa.", { wait: true }));
    expect(result.isNew).toBe(true);
    const near = serving.mnemosyne.person("ada");
    await near.settled();
    const said = (await near.history()).map(({ turns }) => turns[0]!.text);
    expect(said).toEqual([...texts, "My dentist is Dr. Sousa."]);
  });

  it("commits many once", async () => {
    const bob = new MnemosyneClient({ url: proxy.url }).person("bob");
    const many = Array.from({ length: 5 }, (_, i) => `I planted ${i} trees behind house ${i}.`);
    const result = await cutTwice(() => bob.commitMany(many));
    expect(result).toMatchObject({ acceptedCount: 5, knownCount: 0 });
    expect((await serving.mnemosyne.person("bob").history()).length).toBe(5);
  });

  it("adds a turn once, and ends a conversation", async () => {
    const cleo = new MnemosyneClient({ url: proxy.url }).person("cleo");
    const talk = await cleo.conversation();
    await cutTwice(() => talk.add("I sold the boat."));
    await cutTwice(() => talk.add({ role: "user", content: [{ type: "text", text: "For a good price." }] }));
    await cutTwice(() => talk.end());
    const [item] = await serving.mnemosyne.person("cleo").history();
    expect(item!.turns.map(({ text }) => text)).toEqual(["I sold the boat.", "For a good price."]);
    expect(item!.outcome).not.toBe("open");
  });

  it("corrects, edits, forgets and imports once, with the answer of the first time", async () => {
    const dora = new MnemosyneClient({ url: proxy.url }).person("dora");
    const { id } = await dora.commit({ summary: "I live in Rome.", keep: true }, { wait: true });
    const corrected = await cutTwice(() => dora.correct(id, "I live in Oslo."));
    expect(corrected).toMatchObject({ isNew: true, updates: [id] });
    const { tag } = await dora.get(corrected.id);
    const edited = await cutTwice(() => dora.update(corrected.id, { text: "I live in Bergen." }, { ifTag: tag }));
    expect(edited.isChanged).toBe(true);
    expect((await dora.get(corrected.id)).versions.length).toBe(1);
    const receipt = await cutTwice(() => dora.forget(id));
    expect(receipt.forgotten).toEqual([id]);
    const lines = ['{"summary":"I have a parrot."}', '{"summary":"The parrot is called Rio."}'];
    expect(await cutTwice(() => dora.import(lines))).toMatchObject({ acceptedCount: 2, knownCount: 0 });
    expect((await serving.mnemosyne.person("dora").history()).length).toBe(3);
  });

  it("gives up after the retries, as a network failure", async () => {
    proxy.cut(Infinity);
    const once = new MnemosyneClient({ url: proxy.url, retries: 2 }).person("eve");
    const before = proxy.counts.cut;
    await expect(once.commit("I own a lighthouse.")).rejects.toMatchObject({ status: 0, code: "network_failed" });
    expect(proxy.counts.cut - before).toBe(3);
    proxy.cut(0);
    expect((await serving.mnemosyne.person("eve").history()).length).toBe(1);
  });

  it("commits once even if the server is restarted in between", async () => {
    const path = servers.folder.next();
    const first = await servers.start({ path });
    const port = Number(new URL(first.url).port);
    let second: Promise<Serving> | undefined;
    const restarting: typeof fetch = async (address, init) => {
      const answer = await fetch(address, init);
      if (second !== undefined) return answer;
      await answer.text();
      await first.stop();
      second = servers.start({ path, port });
      await second;
      throw new TypeError("the connection was cut");
    };
    const fred = new MnemosyneClient({ url: first.url, fetch: restarting }).person("fred");
    const { isNew } = await fred.commit("I breed snails.");
    expect(isNew).toBe(false);
    expect((await (await second!).mnemosyne.person("fred").history()).length).toBe(1);
  });
});

describe("a server that is busy", () => {
  const headers: Record<string, string>[] = [];
  const answers: [status: number, retryAfter: string | null][] = [];
  const busy = createServer((request, response) => {
    headers.push(request.headers as Record<string, string>);
    const [status, retryAfter] = answers.shift() ?? [200, null];
    const body = status === 200 ? { id: "x", isNew: true } : { code: "rate_limited", detail: "later", status };
    response.writeHead(status, retryAfter === null ? {} : { "retry-after": retryAfter }).end(JSON.stringify(body));
  });
  let person: PersonClient;

  beforeAll(async () => {
    await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
    const { port } = busy.address() as AddressInfo;
    const options = { url: `http://127.0.0.1:${port}/behind/a/proxy/`, key: "mnk_x", headers: { "x-team": "7" } };
    person = new MnemosyneClient(options).person("ada");
  });

  afterAll(() => busy.close());

  it("is asked again after Retry-After, under the same key", async () => {
    answers.push([429, "0"], [503, "0"]);
    expect(await person.commit("hello there")).toEqual({ id: "x", isNew: true });
    expect(headers.length).toBe(3);
    expect(new Set(headers.map((each) => each["idempotency-key"])).size).toBe(1);
    expect(headers[0]).toMatchObject({ authorization: "Bearer mnk_x", "x-team": "7" });
    await person.commit("hello again");
    expect(headers[3]!["idempotency-key"]).not.toBe(headers[0]!["idempotency-key"]);
  });

  it("is not asked again without Retry-After, with a long one, or when it refuses", async () => {
    for (const answer of [
      [503, null],
      [429, "3600"],
      [400, "0"],
      [500, "0"],
    ] as const) {
      answers.push([...answer]);
      const before = headers.length;
      await expect(person.commit("hello there")).rejects.toMatchObject({
        status: answer[0],
        code: "rate_limited",
        retryAfter: answer[1] === null ? null : Number(answer[1]),
      });
      expect(headers.length - before).toBe(1);
    }
  });

  it("may answer with something that is no problem document", async () => {
    const html: typeof fetch = async () => new Response("<h1>Bad gateway</h1>", { status: 502 });
    const behind = new MnemosyneClient({ url: "http://127.0.0.1:1", fetch: html });
    await expect(behind.health()).rejects.toMatchObject({ status: 502, code: "unknown" });
  });
});
