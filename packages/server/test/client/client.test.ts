/** The client against a real server: each method does what the library's does. */
import { beforeAll, describe, expect, it } from "vitest";
import { MnemosyneClient, MnemosyneClientError, type PersonClient } from "mnemosyne-edge-server/client";
import type { PersonMemory } from "../../../memory/src/index.js";
import { Servers, type Serving } from "../server/serving.js";

const servers = new Servers();
let serving: Serving;
let client: MnemosyneClient;
let personCount = 0;

beforeAll(async () => {
  serving = await servers.start();
  client = new MnemosyneClient({ url: serving.url });
});

/** The same person through both doors. */
function newPerson(): { far: PersonClient; near: PersonMemory } {
  const name = `person ${++personCount}/ü%`;
  return { far: client.person(name), near: serving.mnemosyne.person(name) };
}

async function errorOf(work: Promise<unknown>): Promise<MnemosyneClientError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MnemosyneClientError);
  return error as MnemosyneClientError;
}

describe("the client's person", () => {
  it("commits a text, messages and an interaction, and says what became of them", async () => {
    const { far, near } = newPerson();
    const at = new Date("2025-03-01T10:00:00Z");
    const accepted = await far.commit("My sister Mia lives in Porto.");
    expect(accepted).toEqual({ id: expect.any(String), isNew: true });
    const result = await far.commit([{ role: "user", content: "I work at a bakery in Braga." }], { wait: true });
    expect(result).toMatchObject({ outcome: "committed", isNew: true, updates: [] });
    await far.commit({
      id: "cat",
      turns: [{ who: "user", text: "My cat is called Otto." }],
      at,
      metadata: { pet: true },
    });
    await near.settled();
    expect((await near.history()).map(({ turns }) => turns[0]!.text)).toEqual([
      "My sister Mia lives in Porto.",
      "I work at a bakery in Braga.",
      "My cat is called Otto.",
    ]);
    expect(await far.commit({ id: "cat", turns: [{ who: "user", text: "My cat is called Otto." }], at })).toEqual({
      id: "cat",
      isNew: false,
    });
    expect(await far.get("cat")).toEqual(await near.get("cat"));
  });

  it("recalls as the library does, with and without a trace", async () => {
    const { far, near } = newPerson();
    await far.commit({ id: "a", turns: [{ who: "user", text: "I am allergic to penicillin." }] }, { wait: true });
    await far.commit({ id: "b", turns: [{ who: "user", text: "My bicycle is a green Gazelle." }] }, { wait: true });
    const at = Date.now();
    const [here, there] = [
      await near.recall("What am I allergic to?", { seed: 7, at }),
      await far.recall("What am I allergic to?", { seed: 7, at }),
    ];
    const { trace, ...answer } = there;
    const { trace: ownTrace, ...own } = here;
    expect(answer).toMatchObject(JSON.parse(JSON.stringify(own)) as object);
    expect(trace).toMatchObject({ seed: ownTrace.seed });
    const plain = await far.recall("What am I allergic to?", { seed: 7, at, trace: false, limit: 1 });
    expect(plain).toMatchObject({ seed: 7, memories: [{ id: "a" }] });
    expect(plain).not.toHaveProperty("trace");
  });

  it("lists pages and everything, memories and history and persons", async () => {
    const { far, near } = newPerson();
    const many = Array.from({ length: 7 }, (_, i) => ({
      id: `n${i}`,
      at: `2025-01-0${i + 1}T00:00:00Z`,
      summary: `Number ${i} bought ${i} lamps in town ${i}.`,
      keep: true,
      metadata: { even: i % 2 === 0 },
    }));
    await far.commitMany(many);
    await near.settled();
    const page = await far.list({ limit: 3 });
    expect(page.map(({ id }) => id)).toEqual(["n0", "n1", "n2"]);
    expect(page.nextCursor).not.toBeNull();
    const next = await far.list({ limit: 3, cursor: page.nextCursor! });
    expect(next.map(({ id }) => id)).toEqual(["n3", "n4", "n5"]);
    expect(await far.list()).toEqual(await near.list());
    const ids: string[] = [];
    for await (const { id } of far.list({ limit: 2 })) ids.push(id);
    expect(ids).toEqual(many.map(({ id }) => id));
    expect((await far.list({ filter: { even: true }, from: new Date("2025-01-02"), to: "2025-01-06" })).length).toBe(2);
    expect(await far.history({ outcomes: ["committed"], limit: 2 })).toEqual(
      await near.history({ outcomes: ["committed"], limit: 2 }),
    );
    expect(await far.history({ limit: 2, newestFirst: true })).toEqual(
      await near.history({ limit: 2, newestFirst: true }),
    );
    expect((await far.history({ ids: ["n3", "n5"] })).map(({ id }) => id)).toEqual(["n3", "n5"]);
    const names: string[] = [];
    for await (const name of client.persons({ limit: 1 })) names.push(name);
    expect(names).toEqual(await serving.mnemosyne.persons());
  });

  it("updates under a tag, corrects, unlinks, pins and unpins", async () => {
    const { far, near } = newPerson();
    const { id } = await far.commit({ turns: [{ who: "user", text: "I live in Rome." }], keep: true }, { wait: true });
    const { tag } = await far.get(id);
    expect(await far.update(id, { text: "I live in Milan." }, { ifTag: tag })).toMatchObject({ isChanged: true });
    const conflict = await errorOf(far.update(id, { text: "I live in Turin." }, { ifTag: ["old", tag] }));
    expect(conflict).toMatchObject({ status: 412, code: "edit_conflict" });
    const corrected = await far.correct(id, "I live in Naples.", { id: "naples" });
    expect(corrected).toMatchObject({ id: "naples", updates: [id] });
    expect((await far.list({ outdated: false })).map((each) => each.id)).toEqual(["naples"]);
    await far.unlink("naples", id);
    expect((await far.list({ outdated: false })).length).toBe(2);
    expect(await far.pin("naples")).toBe("naples");
    expect((await near.get("naples")).pinnedArea).not.toBeNull();
    await far.unpin("naples");
    expect((await near.get("naples")).pinnedArea).toBeNull();
    const pinned = await far.pin("I am allergic to nuts and I carry an adrenaline pen.");
    expect((await near.get(pinned)).pinnedArea).not.toBeNull();
    expect(await errorOf(far.pin("nobody"))).toMatchObject({ status: 404, code: "unknown_id" });
  });

  it("forgets by id, list, selection and everything; prunes and restores", async () => {
    const { far, near } = newPerson();
    const interactions = ["a", "b", "c", "d"].map((id, i) => ({
      id,
      summary: `Letter ${id} was sent to ${i + 10} people in street ${i}.`,
      keep: true,
      metadata: { letter: id },
    }));
    expect(await far.commitMany(interactions)).toEqual({ ids: ["a", "b", "c", "d"], acceptedCount: 4, knownCount: 0 });
    await near.settled();
    expect((await far.forget("a")).forgotten).toEqual(["a"]);
    expect((await far.forget(["b"])).forgotten).toEqual(["b"]);
    expect((await far.forget({ filter: { letter: "c" } })).forgotten).toEqual(["c"]);
    expect(await far.prune({ memoryCountMax: 0 })).toMatchObject({ pruned: [], memoryCount: 1 });
    await far.commit({ id: "e", summary: "Letter e was never sent.", keep: true }, { wait: true });
    const { pruned } = await far.prune({ memoryCountMax: 1 });
    expect(pruned.length).toBe(1);
    await far.restore(pruned[0]!.id);
    await near.settled();
    expect(await far.statistics()).toEqual(await near.statistics());
    expect((await far.graph()).memories.length).toBe(2);
    await far.forgetAll();
    expect(await errorOf(far.statistics())).toMatchObject({ status: 404, code: "unknown_person" });
  });

  it("exports line by line, and imports lists, async iterables and streams", async () => {
    const { far, near } = newPerson();
    await far.commitMany(["I play the cello in an orchestra.", "My brother Tim is a pilot."]);
    await near.settled();
    const lines: string[] = [];
    for await (const line of far.export()) lines.push(line);
    const own: string[] = [];
    for await (const line of near.export()) own.push(line);
    expect(lines).toEqual(own);
    await expect(far.export({ sealed: true }).next()).rejects.toMatchObject({ status: 400, code: "option_invalid" });
    const encoded = new TextEncoder().encode(lines.join("\n"));
    const sources = [
      () => lines,
      async function* () {
        yield* lines;
      },
      () => new Blob([encoded]).stream() as ReadableStream<Uint8Array>,
    ];
    for (const source of sources) {
      const { far: other } = newPerson();
      expect(await other.import(source())).toMatchObject({ mode: "restored", acceptedCount: 2 });
      expect(await other.list()).toEqual(await far.list());
    }
  });

  it("holds a conversation that two clients continue", async () => {
    const { far, near } = newPerson();
    const talk = await far.conversation({ id: "talk:close", metadata: { place: "train" } });
    await Promise.all([talk.add("I bought a red kayak."), talk.add({ role: "assistant", content: "How nice!" })]);
    const same = await far.conversation({ id: "talk:close" });
    expect(same.turns).toEqual(talk.turns);
    await same.add({ who: "user", text: "It is five metres long." });
    await talk.add(
      [{ type: "text", text: "It is called Ida." }].map((part) => ({ role: "user", content: [part] }))[0]!,
    );
    expect(talk.turns.length).toBe(4);
    await same.add("We paddle on Sundays.");
    await same.end();
    await near.settled();
    const [item] = await near.history({ ids: ["talk:close"] });
    expect(item!.turns.map(({ text }) => text)).toEqual([
      "I bought a red kayak.",
      "How nice!",
      "It is five metres long.",
      "It is called Ida.",
      "We paddle on Sundays.",
    ]);
    expect(item!.metadata).toEqual({ place: "train" });
    expect(await errorOf(far.conversation({ id: "talk:close" }))).toMatchObject({ code: "conversation_ended" });
  });

  it("updates the core summary, as it is and as it was", async () => {
    const { far, near } = newPerson();
    await far.commit({ summary: "I am allergic to penicillin.", keep: true }, { wait: true });
    expect(await far.coreSummary({ update: true })).toEqual(await near.coreSummary());
    expect((await far.coreSummary({ at: 0 })).text).toBe((await near.coreSummary({ at: 0 })).text);
  });
});

describe("the client's errors", () => {
  it("are the problem documents of the server", async () => {
    const { far } = newPerson();
    const error = await errorOf(far.commit({ turns: "hello" } as never));
    expect(error).toMatchObject({ status: 400, code: "request_invalid", retryAfter: null });
    expect(error.errors[0]!.path).toBe("body.turns");
    expect(error.message).toBe(error.detail);
    expect(await errorOf(far.get("nobody"))).toMatchObject({ status: 404, code: "unknown_person" });
  });

  it("name what no address can carry, before anything is sent", async () => {
    const { far } = newPerson();
    for (const name of ["", ".", ".."]) {
      expect(await errorOf(far.forget(name))).toMatchObject({ status: 0, code: "id_invalid" });
      expect(() => client.person(name)).toThrow(MnemosyneClientError);
    }
    expect(() => client.person(undefined)).toThrow("person needs a name");
    expect(client.person().name).toBe("default");
  });

  it("are network failures where there is no server, with the cause", async () => {
    const nowhere = new MnemosyneClient({ url: "http://127.0.0.1:1", retries: 1 });
    const error = await errorOf(nowhere.health());
    expect(error).toMatchObject({ status: 0, code: "network_failed" });
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  it("say that there was no answer in time", async () => {
    const hanging: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("aborted"))));
    const slow = new MnemosyneClient({ url: serving.url, fetch: hanging, timeoutMs: 5, retries: 0 });
    expect(await errorOf(slow.health())).toMatchObject({ status: 0, code: "timed_out" });
  });

  it("are the signal's own reason where the caller ends it", async () => {
    const reason = new Error("enough");
    const controller = new AbortController();
    const far = new MnemosyneClient({ url: "http://127.0.0.1:1", retries: 50 }).person("ada");
    setTimeout(() => controller.abort(reason), 50);
    await expect(far.recall("What?", { signal: controller.signal })).rejects.toBe(reason);
    await expect(far.commit("What?", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
