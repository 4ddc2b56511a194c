/** Submitting over HTTP: what is accepted, what is refused, and that a write which is sent again is done once. */
import { beforeAll, describe, expect, it } from "vitest";
import { Servers, type Serving } from "../serving.js";
import { Caller, type Reply } from "./http.js";

const servers = new Servers();
let serving: Serving;
let http: Caller;

beforeAll(async () => {
  serving = await servers.start({ limits: { bodyBytesMax: 10_000 } });
  http = new Caller(serving.url);
});

const path = "/v1/persons/ada/interactions";

describe("POST interactions", () => {
  it("accepts, says where to ask, and what became of it is there", async () => {
    const reply = await http.call("POST", path, { body: { text: "I am allergic to penicillin.", id: "allergy" } });
    expect(reply.status).toBe(202);
    const href = `${path}/allergy`;
    expect(reply.headers.get("location")).toBe(href);
    expect(reply.body).toEqual({ id: "allergy", isNew: true, operation: { href, outcome: "queued" } });
    await serving.mnemosyne.person("ada").settled();
    const asked = await http.call("GET", href);
    expect(asked).toMatchObject({ status: 200, body: { id: "allergy", outcome: "committed" } });
    expect(asked.headers.get("cache-control")).toBe("no-store");
  });

  it("waits, and says what became of it", async () => {
    const body = { turns: [{ who: "user", text: "My sister Mia lives in Porto." }], metadata: { agent: "office" } };
    const reply = await http.call("POST", `${path}?wait=true`, { body });
    expect(reply).toMatchObject({ status: 200, body: { outcome: "committed", isNew: true, updates: [] } });
    const again = await http.call("POST", `${path}?wait=false`, { body: { id: reply.body.id, ...body } });
    expect(again).toMatchObject({ status: 202, body: { isNew: false } });
  });

  it("takes messages of chat APIs", async () => {
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "I moved to Lisbon." }] },
      { role: "assistant", content: "Noted." },
    ];
    const { body } = await http.call("POST", `${path}?wait=true`, { body: { messages } });
    const { body: item } = await http.call("GET", `${path}/${body.id}`);
    expect(item.turns).toEqual([
      { who: "user", text: "I moved to Lisbon." },
      { who: "assistant", text: "Noted." },
    ]);
  });

  it("refuses what it cannot use, and says where", async () => {
    const unknown = await http.refused(400, "request_invalid", "POST", path, { body: { txt: "hello" } });
    expect(unknown.body.detail).toContain("txt");
    const wrong = await http.refused(400, "request_invalid", "POST", path, { body: { text: 7, keep: "yes" } });
    expect(wrong.body.errors!.map((each) => each.path)).toEqual(["body.text", "body.keep"]);
    await http.refused(400, "interaction_empty", "POST", path, { body: { text: "  " } });
    await http.refused(400, "interaction_empty", "POST", path, { body: {} });
    await http.refused(400, "time_in_future", "POST", path, { body: { text: "x", at: "2999-01-01" } });
    await http.refused(400, "time_invalid", "POST", path, { body: { text: "x", at: "soon" } });
    await http.refused(400, "request_invalid", "POST", path, {
      raw: "{",
      headers: { "content-type": "application/json" },
    });
    const notUtf8 = new Uint8Array([0x22, 0xff, 0x22]);
    await http.refused(400, "request_invalid", "POST", path, {
      raw: notUtf8,
      headers: { "content-type": "application/json" },
    });
    await http.refused(415, "media_type_unsupported", "POST", path, { raw: '{"text":"x"}' });
    await http.refused(415, "media_type_unsupported", "POST", path, {
      raw: "text=x",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    await http.refused(413, "body_too_large", "POST", path, { body: { text: "x".repeat(20_000) } });
    await http.refused(409, "id_taken", "POST", path, { body: { id: "allergy", text: "Something else." } });
    const long = Array.from({ length: 30 }, (_, i) => [`field${i}`, i]);
    const many = await http.refused(400, "request_invalid", "POST", path, { body: Object.fromEntries(long) });
    expect(many.body.errors!.length).toBeLessThanOrEqual(20);
  });

  it("refuses queries that are unknown or given twice", async () => {
    await http.refused(400, "request_invalid", "POST", `${path}?wait=true&wait=false`, { body: { text: "x" } });
    await http.refused(400, "request_invalid", "POST", `${path}?wait=maybe`, { body: { text: "x" } });
    await http.refused(400, "request_invalid", "POST", `${path}?now=true`, { body: { text: "x" } });
    const reply = await http.refused(400, "request_invalid", "GET", "/v1/persons/ada/stats?x=1");
    expect(reply.body.errors).toEqual([{ path: "query.x", message: "is not known here" }]);
  });
});

describe("POST interactions:batch", () => {
  it("accepts many, and none if one is wrong", async () => {
    const interactions = [{ text: "I have two cats." }, { text: "I have a red door.", id: "door" }];
    const reply = await http.call("POST", "/v1/persons/bob/interactions:batch", { body: { interactions } });
    expect(reply).toMatchObject({ status: 202, body: { acceptedCount: 2, knownCount: 0 } });
    expect(reply.body.ids[1]).toBe("door");
    const wrong = { interactions: [{ text: "I have a lamp." }, { text: "" }] };
    await http.refused(400, "interaction_empty", "POST", "/v1/persons/bob/interactions:batch", { body: wrong });
    await http.refused(400, "request_invalid", "POST", "/v1/persons/bob/interactions:batch", {
      body: { interactions: [] },
    });
    expect((await serving.mnemosyne.person("bob").history()).length).toBe(2);
  });

  it("gives each an id made from the key", async () => {
    const asked = {
      body: { interactions: [{ text: "One." }, { text: "Two." }] },
      headers: { "idempotency-key": "b1" },
    };
    const [first, second] = [
      await http.call("POST", "/v1/persons/bea/interactions:batch", asked),
      await http.call("POST", "/v1/persons/bea/interactions:batch", asked),
    ];
    expect(second.body).toEqual(first.body);
    expect(new Set(first.body.ids).size).toBe(2);
  });
});

describe("Idempotency-Key", () => {
  const key = (value: string): Record<string, string> => ({ "idempotency-key": value });

  it("makes a repetition the same answer", async () => {
    const asked = { body: { text: "I own a kayak." }, headers: key("k1") };
    const [first, second] = [
      await http.call("POST", "/v1/persons/cleo/interactions", asked),
      await http.call("POST", "/v1/persons/cleo/interactions", asked),
    ];
    expect(second).toMatchObject({ status: first.status, body: first.body });
    expect(second.headers.get("location")).toBe(first.headers.get("location"));
    expect((await serving.mnemosyne.person("cleo").history()).length).toBe(1);
  });

  it("refuses another body and another query under the same key", async () => {
    const people = "/v1/persons/cleo/interactions";
    await http.refused(422, "idempotency_key_reused", "POST", people, {
      body: { text: "I own two kayaks." },
      headers: key("k1"),
    });
    await http.refused(422, "idempotency_key_reused", "POST", `${people}?wait=true`, {
      body: { text: "I own a kayak." },
      headers: key("k1"),
    });
    expect((await serving.mnemosyne.person("cleo").history()).length).toBe(1);
  });

  it("does ten in parallel once", async () => {
    const asked = { body: { text: "I keep bees." }, headers: key("k2") };
    const calls = Array.from({ length: 10 }, () => http.call("POST", "/v1/persons/dora/interactions?wait=true", asked));
    const replies = await Promise.all(calls);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect((await serving.mnemosyne.person("dora").history()).length).toBe(1);
    const turns = Array.from({ length: 10 }, () =>
      http.call("POST", "/v1/persons/dora/conversations/t/turns", {
        body: { who: "user", text: "Hi." },
        headers: key("k3"),
      }),
    );
    expect((await Promise.all(turns)).every(({ body }) => body.turnCount === 1)).toBe(true);
  });

  it("is another one for another person, and counts again after a failure", async () => {
    for (const person of ["eve", "fay"]) {
      const { status, headers } = await http.call("POST", `/v1/persons/${person}/interactions`, {
        body: { text: "I paint." },
        headers: key("k4"),
      });
      expect(status).toBe(202);
      expect(headers.get("location")).toContain(`/v1/persons/${person}/`);
      expect((await serving.mnemosyne.person(person).history()).length).toBe(1);
    }
    const unknown = { headers: key("k5") };
    await http.refused(404, "unknown_person", "DELETE", "/v1/persons/gus", unknown);
    await http.call("POST", "/v1/persons/gus/interactions", { body: { text: "I sing." } });
    expect((await http.call("DELETE", "/v1/persons/gus", unknown)).status).toBe(200);
  });

  it("is another one for another method and another address", async () => {
    const memory = "/v1/persons/ivo/memories/paint";
    await http.call("POST", "/v1/persons/ivo/interactions?wait=true", {
      body: { id: "paint", text: "I paint.", keep: true },
    });
    const once = { headers: key("k7") };
    expect((await http.call("PUT", `${memory}/pin`, once)).status).toBe(204);
    expect((await http.call("GET", memory)).body.pinnedArea).not.toBeNull();
    expect((await http.call("DELETE", `${memory}/pin`, once)).status).toBe(204);
    expect((await http.call("GET", memory)).body.pinnedArea).toBeNull();
    expect((await http.call("DELETE", memory, once)).body.forgotten).toEqual(["paint"]);
  });

  it("does not keep what a question was answered with: what is forgotten stays so", async () => {
    const ask = { body: { query: "What do I keep?", seed: 1 }, headers: key("k6") };
    const said = { body: { id: "bees", text: "I keep bees.", keep: true } };
    await http.call("POST", "/v1/persons/hal/interactions?wait=true", said);
    expect((await http.call("POST", "/v1/persons/hal/recall", ask)).text).toContain("bees");
    await http.call("DELETE", "/v1/persons/hal/memories/bees");
    expect((await http.call("POST", "/v1/persons/hal/recall", ask)).text).not.toContain("bees");
  });

  it("must have 1 to 255 characters", async () => {
    for (const value of ["", "x".repeat(256)]) {
      await http.refused(400, "request_invalid", "POST", path, { body: { text: "x y z" }, headers: key(value) });
    }
  });

  it("stores a commit once even after a restart", async () => {
    const file = servers.folder.next();
    const asked = { body: { text: "I breed snails." }, headers: key("k6") };
    const first = await servers.start({ path: file });
    const before = await new Caller(first.url).call("POST", path, asked);
    expect(before.body.isNew).toBe(true);
    await first.stop();
    const second = await servers.start({ path: file });
    const after = await new Caller(second.url).call("POST", path, asked);
    expect(after).toMatchObject({ status: 202, body: { id: before.body.id, isNew: false } });
    expect((await second.mnemosyne.person("ada").history()).length).toBe(1);
  });
});

describe("conversations", () => {
  const talk = "/v1/persons/ida/conversations/t1";
  // eslint-disable-next-line typescript/no-explicit-any -- as in http.ts
  const add = (body: object): Promise<Reply<any>> => http.call("POST", `${talk}/turns`, { body });

  it("grow turn by turn, each at its place once, and close", async () => {
    expect(await add({ who: "user", text: "I sold the boat.", index: 0, metadata: { place: "train" } })).toMatchObject({
      status: 200,
      body: { id: "t1", turnCount: 1, outcome: "open" },
    });
    expect((await add({ who: "user", text: "I sold the boat.", index: 0 })).body.turnCount).toBe(1);
    expect((await add({ role: "assistant", content: "Good!", index: 1 })).body.turnCount).toBe(2);
    expect((await add({ role: "assistant", content: "Good!", index: 1 })).body.turnCount).toBe(2);
    await http.refused(409, "id_taken", "POST", `${talk}/turns`, { body: { who: "user", text: "No.", index: 1 } });
    await http.refused(409, "id_taken", "POST", `${talk}/turns`, { body: { who: "user", text: "No.", index: 5 } });
    await http.refused(400, "request_invalid", "POST", `${talk}/turns`, {
      body: { role: "user", content: [{ type: "text", text: "No." }], index: 2 },
    });
    await http.refused(400, "interaction_invalid", "POST", `${talk}/turns`, { body: { who: "user", words: "No." } });
    const open = await http.call("GET", "/v1/persons/ida/interactions/t1");
    expect(open.body).toMatchObject({ outcome: "open", metadata: { place: "train" } });
    const closed = await http.call("POST", `${talk}:close`);
    expect(closed).toMatchObject({ status: 202, body: { id: "t1", turnCount: 2, outcome: "queued" } });
    await http.refused(409, "conversation_ended", "POST", `${talk}/turns`, { body: { who: "user", text: "More." } });
    await http.refused(409, "conversation_ended", "POST", `${talk}:close`);
    await http.refused(404, "unknown_id", "POST", "/v1/persons/ida/conversations/none:close");
  });

  it("close with wait=true says what became of it, as a commit does", async () => {
    const path = "/v1/persons/ida/conversations/w";
    await http.call("POST", `${path}/turns`, { body: { who: "user", text: "I sold the boat to Marta." } });
    const closed = await http.call("POST", `${path}:close?wait=true`);
    expect(closed.status).toBe(200);
    const { body } = await http.call("GET", "/v1/persons/ida/interactions/w");
    expect(closed.body).toMatchObject({ id: "w", outcome: body.outcome, reason: body.reason, isNew: true });
    expect(["committed", "paired", "discarded"]).toContain(body.outcome);
    await http.refused(400, "request_invalid", "POST", `${path}:close?wait=perhaps`);
  });

  it("take turns in parallel, each once", async () => {
    const calls = Array.from({ length: 12 }, (_, i) =>
      http.call("POST", "/v1/persons/ida/conversations/p/turns", { body: { who: "user", text: `Turn ${i}.` } }),
    );
    await Promise.all(calls);
    const { body } = await http.call("GET", "/v1/persons/ida/interactions/p");
    expect(new Set(body.turns.map(({ text }: { text: string }) => text)).size).toBe(12);
  });

  it("take a turn with an index once after a restart", async () => {
    const file = servers.folder.next();
    const asked = { body: { who: "user", text: "I sold the boat.", index: 0 } };
    for (const _ of [1, 2]) {
      const running = await servers.start({ path: file });
      const reply = await new Caller(running.url).call("POST", `${talk}/turns`, asked);
      expect(reply).toMatchObject({ status: 200, body: { turnCount: 1 } });
      await running.stop();
    }
  });

  it("may have an id that ends like a route", async () => {
    const odd = "/v1/persons/ida/conversations/x%3Aclose";
    await http.call("POST", `${odd}/turns`, { body: { who: "user", text: "I like odd names." } });
    expect((await http.call("POST", `${odd}:close`)).body).toMatchObject({ id: "x:close", outcome: "queued" });
    await serving.mnemosyne.person("ida").settled();
    expect((await http.call("GET", "/v1/persons/ida/interactions/x%3Aclose")).body.id).toBe("x:close");
  });
});
