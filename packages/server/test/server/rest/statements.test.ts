/** Statements over HTTP: named in every change, withdrawn, ended, and held back by a wish to forget. */
import { beforeEach, describe, expect, it } from "vitest";
import { ScriptedReader, lasting } from "../../../../memory/test/engine/scripted-reader.js";
import { type ClientEvent, MnemosyneClient } from "../../../src/client/index.js";
import { Servers, type Serving } from "../serving.js";
import { Caller } from "./http.js";

const servers = new Servers();
const reader = new ScriptedReader({
  read: (statement) => (/boat|sister|live/u.test(statement) ? lasting("self") : {}),
});
let serving: Serving | undefined;
let http: Caller;
let base: string;
let personCount = 0;

beforeEach(async () => {
  serving ??= await servers.start({ memory: { reader } });
  http = new Caller(serving.url);
  base = `/v1/persons/person-${++personCount}`;
  const text = "My boat is called Gull. My sister Ilse lives in Porto.";
  await commit({ id: "told", text, at: "2025-03-01T10:00:00Z", keep: true });
});

const named = (id: string): string => encodeURIComponent(id);
async function commit(body: object): Promise<Record<string, unknown>> {
  const answer = await http.call("POST", `${base}/interactions?wait=true`, { body });
  expect(answer.status).toBe(200);
  return answer.body;
}
async function coreOf(): Promise<string[]> {
  const { body } = await http.call("GET", `${base}/core`);
  return body.areas.flatMap(({ facts }: { facts: { id: string }[] }) => facts.map(({ id }) => id)).toSorted();
}
async function recalled(query: string): Promise<string> {
  return (await http.call("POST", `${base}/recall`, { body: { query, at: "2025-04-01" } })).body.context;
}
async function statementsOf(id = "told"): Promise<{ id: string; endedBy: string[]; marks: string[] }[]> {
  return (await http.call("GET", `${base}/memories/${id}`)).body.statements;
}

it("have names, and say how they were read and whether they hold", async () => {
  expect(await statementsOf()).toEqual([
    {
      id: "told#0",
      turn: 0,
      who: "user",
      text: "My boat is called Gull.",
      asked: null,
      kind: "said",
      reading: { fact: 1, about: "self", area: "self", lasting: 1, alone: 1 },
      endedAt: null,
      endedBy: [],
      marks: [],
    },
    expect.objectContaining({ id: "told#1", text: "My sister Ilse lives in Porto." }),
  ]);
  expect(await coreOf()).toEqual(["told#0", "told#1"]);
});

describe("a withdrawal", () => {
  const withdraw = (id: string, body: object = {}): Promise<{ status: number }> =>
    http.call("PUT", `${base}/memories/${named(id)}/withdrawal`, { body });

  it("takes a statement out of the core summary, not out of recall, until it is restored", async () => {
    expect((await withdraw("told#0")).status).toBe(204);
    expect(await coreOf()).toEqual(["told#1"]);
    expect((await statementsOf())[0]!.marks).toEqual(["removed"]);
    expect(await recalled("What is my boat called?")).toContain("Gull");
    const restored = await http.call("POST", `${base}/interactions/${named("told#0")}:restore`);
    expect(restored).toMatchObject({
      status: 202,
      body: { id: "told#0", operation: { href: `${base}/interactions/told`, outcome: "committed" } },
    });
    expect(await coreOf()).toEqual(["told#0", "told#1"]);
  });

  it("of what was never true takes it out of recall, too", async () => {
    expect((await withdraw("told#0", { reason: "untrue" })).status).toBe(204);
    expect(await coreOf()).toEqual(["told#1"]);
    const context = await recalled("What is my boat called?");
    expect(context).not.toContain("Gull");
    expect(context).toContain("Porto");
  });

  it("is of something that is there, for a reason that there is", async () => {
    const path = (id: string): string => `${base}/memories/${named(id)}/withdrawal`;
    await http.refused(404, "unknown_id", "PUT", path("told#9"), { body: {} });
    await http.refused(404, "unknown_id", "PUT", path("none"), { body: {} });
    await http.refused(400, "request_invalid", "PUT", path("told#0"), { body: { reason: "boring" } });
  });
});

describe("a wish to forget", () => {
  const wish = { id: "wish", text: "Please forget what I said about the boat.", at: "2025-03-02T10:00:00Z" };

  it("says what it means, holds it back at once, and is told as an event", async () => {
    const person = new MnemosyneClient({ url: serving!.url }).person(`person-${personCount}`);
    const stop = new AbortController();
    const told: ClientEvent[] = [];
    let listening: Promise<void> | undefined;
    await new Promise<void>((onConnect) => {
      listening = (async () => {
        for await (const event of person.events({ signal: stop.signal, onConnect })) {
          told.push(event);
          if (event.name === "forgetAsked") return;
        }
      })();
    });
    const result = await commit(wish);
    expect(result).toMatchObject({ outcome: "forgetAsked", forgetAsked: ["told#0"], ended: [], updates: [] });
    await listening;
    expect(told.at(-1)).toMatchObject({ name: "forgetAsked", event: { id: "wish", forgetAsked: ["told#0"] } });
    stop.abort();
    expect((await statementsOf())[0]!.marks).toEqual(["held"]);
    expect(await recalled("What is my boat called?")).not.toContain("Gull");
    expect(await coreOf()).toEqual(["told#1"]);
    const { body } = await http.call("GET", `${base}/history?outcomes=forgetAsked`);
    expect(body.interactions).toMatchObject([{ id: "wish" }]);
  });

  it("is fulfilled by forgetting what it names, which leaves the rest", async () => {
    await commit(wish);
    const { status, body } = await http.call("DELETE", `${base}/memories/${named("told#0")}`);
    expect({ status, forgotten: body.forgotten }).toEqual({ status: 200, forgotten: ["told#0"] });
    expect((await http.call("GET", `${base}/export`)).text).not.toContain("Gull");
    expect((await statementsOf()).map(({ id }) => id)).toEqual(["told#0"]);
    expect(await recalled("Where does my sister live?")).toContain("Porto");
  });

  it("is taken back by restoring it", async () => {
    await commit(wish);
    const { status, body } = await http.call("POST", `${base}/interactions/wish:restore`);
    expect({ status, body }).toMatchObject({ status: 202, body: { operation: { outcome: "forgetAsked" } } });
    expect(await recalled("What is my boat called?")).toContain("Gull");
    expect(await coreOf()).toEqual(["told#0", "told#1"]);
  });
});

describe("a name is taken", () => {
  it("by updates, which then end that statement alone, and by unlinking", async () => {
    const result = await commit({ id: "new", text: "I sold it.", updates: "told#0", keep: true });
    expect(result).toMatchObject({ ended: ["told#0"], updates: ["told"] });
    expect((await statementsOf()).map(({ endedBy }) => endedBy.length)).toEqual([1, 0]);
    expect(await coreOf()).not.toContain("told#0");
    const { body } = await http.call("GET", `${base}/memories?outdated=false`);
    expect(body.memories.map(({ id }: { id: string }) => id)).toEqual(["told", "new"]);
    const unlinked = await http.call("DELETE", `${base}/memories/new/updates?outdated=${named("told#0")}`);
    expect(unlinked.status).toBe(204);
    expect(await coreOf()).toContain("told#0");
  });

  it("by correcting, and what was before is in the changes of the core summary", async () => {
    const path = `${base}/memories/${named("told#1")}:correct`;
    const { status, body } = await http.call("POST", path, { body: { id: "now", text: "Ilse lives in Braga." } });
    expect({ status, ended: body.ended }).toEqual({ status: 200, ended: ["told#1"] });
    const { changes } = (await http.call("GET", `${base}/core`)).body;
    expect(changes.at(-1)).toMatchObject({
      entered: [{ id: "now#0", text: expect.stringContaining("Braga") as string, sourceId: "now" }],
      left: [{ id: "told#1", sourceId: "told", byId: "now" }],
    });
  });

  it("by pinning, and never for a new text", async () => {
    const pin = (id: string): string => `${base}/memories/${named(id)}/pin`;
    expect((await http.call("PUT", pin("told#1"), { body: {} })).status).toBe(204);
    expect((await statementsOf())[1]!.marks).toEqual(["pinned"]);
    const { body } = await http.call("GET", `${base}/core`);
    const facts = body.areas.flatMap((area: { facts: { id: string; isPinned: boolean }[] }) => area.facts);
    expect(facts).toContainEqual(expect.objectContaining({ id: "told#1", sourceId: "told", isPinned: true }));
    expect((await http.call("DELETE", pin("told#1"))).status).toBe(204);
    for (const id of ["told#9", "an id#0"]) await http.refused(404, "unknown_id", "PUT", pin(id), { body: {} });
    expect((await http.call("GET", `${base}/history`)).body.interactions).toHaveLength(1);
  });

  it("by the client, method for method", async () => {
    const person = new MnemosyneClient({ url: serving!.url }).person(`person-${personCount}`);
    await person.withdraw("told#0", "untrue");
    expect((await person.get("told")).statements.map(({ marks }) => marks)).toEqual([["untrue"], []]);
    await person.restore("told#0");
    await person.pin("told#0");
    await person.unpin("told#0");
    expect((await person.get("told")).statements.map(({ marks }) => marks)).toEqual([[], []]);
    const { id } = await person.correct("told#1", "My sister Ilse lives in Braga.");
    await person.unlink(id, "told#1");
    expect((await person.forget(["told#0"])).forgotten).toEqual(["told#0"]);
  });
});
