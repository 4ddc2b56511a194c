/** Memories over HTTP: looking, changing under conditions, forgetting; and asking. */
import { beforeAll, describe, expect, it } from "vitest";
import { Servers, type Serving } from "../serving.js";
import { Caller, sendRaw } from "./http.js";

const servers = new Servers();
let serving: Serving;
let http: Caller;
const base = "/v1/persons/ada";

beforeAll(async () => {
  serving = await servers.start();
  http = new Caller(serving.url);
  const interactions = Array.from({ length: 6 }, (_, i) => ({
    id: `m${i}`,
    summary: `I bought ${i + 2} lamps in street ${i}.`,
    at: `2025-02-0${i + 1}T12:00:00Z`,
    keep: true,
    metadata: { agent: i < 4 ? "office" : "home", place: `street ${i}` },
  }));
  await http.call("POST", `${base}/interactions:batch`, { body: { interactions } });
  await serving.mnemosyne.settled();
});

describe("a member named __proto__", () => {
  const filter = '{"agent":"office","__proto__":"x"}';
  it.each([
    ["POST", "/memories:forget", `{"filter":${filter}}`, "body.filter.__proto__"],
    ["POST", "/recall", `{"query":"lamps","filter":${filter}}`, "body.filter.__proto__"],
    ["PATCH", "/memories/m0", '{"metadata":{"__proto__":"x"}}', "body.metadata.__proto__"],
    [
      "POST",
      "/interactions:batch",
      '{"interactions":[{"text":"a","metadata":{"__proto__":"x"}}]}',
      "body.interactions.0.metadata.__proto__",
    ],
  ])("is refused, not left out: %s %s", async (method, below, raw, path) => {
    const headers = { "content-type": "application/json" };
    const { body } = await http.refused(400, "request_invalid", method, `${base}${below}`, { raw, headers });
    expect(body.errors).toEqual([{ path, message: "is not known here" }]);
    expect((await http.call("GET", `${base}/memories`)).body.memories).toHaveLength(6);
  });
});

describe("GET memories and history", () => {
  it("come in pages that a cursor joins", async () => {
    for (const [list, key] of [
      ["memories", "memories"],
      ["history", "interactions"],
    ] as const) {
      const ids: string[] = [];
      let query = "?limit=4";
      do {
        const { status, body } = await http.call("GET", `${base}/${list}${query}`);
        expect(status).toBe(200);
        ids.push(...body[key].map(({ id }: { id: string }) => id));
        query = body.nextCursor === null ? "" : `?limit=4&cursor=${encodeURIComponent(body.nextCursor)}`;
      } while (query !== "");
      expect(ids).toEqual(["m0", "m1", "m2", "m3", "m4", "m5"]);
    }
  });

  it("are filtered by metadata, time and outcome", async () => {
    const filter = encodeURIComponent(JSON.stringify({ agent: "office" }));
    const idsOf = async (path: string): Promise<string[]> => {
      const { body } = await http.call("GET", `${base}/${path}`);
      return (body.memories ?? body.interactions).map(({ id }: { id: string }) => id);
    };
    expect(await idsOf(`memories?filter=${filter}&from=2025-02-03`)).toEqual(["m2", "m3"]);
    expect(await idsOf("memories?to=2025-02-02T00:00:00Z&outdated=false")).toEqual(["m0"]);
    expect(await idsOf("history?outcomes=discarded,pruned")).toEqual([]);
    expect(await idsOf("history?outcomes=committed&limit=1")).toEqual(["m0"]);
    expect(await idsOf(`history?ids=${encodeURIComponent('["m4","m1"]')}`)).toEqual(["m1", "m4"]);
    const { body } = await http.call("GET", `${base}/graph?filter=${filter}`);
    expect(body.memories.length).toBe(4);
  });

  it("refuse limits, cursors, filters and outcomes that are none", async () => {
    for (const query of [
      "limit=0",
      "limit=1001",
      "limit=x",
      "limit=2&limit=3",
      "filter=agent",
      "ids=a",
      "ids=[1]",
      "outcomes=gone",
    ]) {
      await http.refused(400, "request_invalid", "GET", `${base}/history?${query}`);
    }
    await http.refused(400, "option_invalid", "GET", `${base}/memories?cursor=nonsense`);
    await http.refused(
      400,
      "filter_invalid",
      "GET",
      `${base}/memories?filter=${encodeURIComponent('{"a":{"near":1}}')}`,
    );
    await http.refused(400, "time_invalid", "GET", `${base}/memories?from=yesterday`);
    const other = await http.call("GET", `${base}/memories?limit=1`);
    const cursor = encodeURIComponent(other.body.nextCursor);
    await http.refused(400, "option_invalid", "GET", `${base}/history?cursor=${cursor}`);
    await http.refused(404, "unknown_person", "GET", "/v1/persons/nobody/memories");
  });

  it("say in words what is wrong with a field", async () => {
    const detailOf = async (path: string, body?: object): Promise<string> => {
      const method = body === undefined ? "GET" : "POST";
      return (await http.refused(400, "request_invalid", method, `${base}${path}`, { body })).body.detail;
    };
    expect(await detailOf("/memories?limit=0")).toBe("query.limit: must be at least 1");
    expect(await detailOf("/memories?limit=1001")).toBe("query.limit: must be at most 1000");
    expect(await detailOf("/memories?foo=1&bar=2")).toBe("query.foo: is not known here; query.bar: is not known here");
    expect(await detailOf("/recall", {})).toBe("body.query: is missing");
    expect(await detailOf("/recall", { query: 5 })).toBe("body.query: expected string, received number");
    expect(
      (await http.refused(400, "option_invalid", "POST", `${base}/memories:forget`, { body: {} })).body.detail,
    ).toBe("name ids, or filter, from or to; DELETE /v1/persons/{person} forgets everything");
  });

  it("refuse a cursor of another list, and one that was changed", async () => {
    const cursorOf = async (list: string): Promise<string> =>
      (await http.call("GET", `${list}limit=1`)).body.nextCursor as string;
    await http.call("POST", "/v1/persons/another/interactions?wait=true", { body: { text: "I paint.", keep: true } });
    const lists = [`${base}/memories?`, `${base}/history?`, "/v1/persons?"];
    for (const from of lists) {
      const cursor = await cursorOf(from);
      expect(cursor).toEqual(expect.any(String));
      for (const to of lists.filter((each) => each !== from)) {
        await http.refused(400, "option_invalid", "GET", `${to}cursor=${encodeURIComponent(cursor)}`);
      }
      for (const changed of [`${cursor.slice(0, -4)}AAAA`, cursor.slice(4), `x${cursor}`]) {
        await http.refused(400, "option_invalid", "GET", `${from}cursor=${encodeURIComponent(changed)}`);
      }
    }
  });
});

describe("a memory", () => {
  it("has an etag that answers If-Match", async () => {
    const first = await http.call("GET", `${base}/memories/m0`);
    const etag = first.headers.get("etag")!;
    expect(etag).toBe(`"${first.body.tag}"`);
    const change = (value: string | null, text: string): Parameters<Caller["call"]>[2] => ({
      body: { text },
      headers: value === null ? {} : { "if-match": value },
    });
    const done = await http.call("PATCH", `${base}/memories/m0`, change(etag, "I bought three lamps at the market."));
    expect(done).toMatchObject({ status: 200, body: { id: "m0", isChanged: true } });
    for (const value of [etag, '"x", "y"', ""]) {
      await http.refused(412, "edit_conflict", "PATCH", `${base}/memories/m0`, change(value, "I bought no lamp."));
    }
    for (const value of ["nonsense", etag.slice(1, -1), `${etag}, x`, '"', '"x" *']) {
      await http.refused(400, "request_invalid", "PATCH", `${base}/memories/m0`, change(value, "I bought no lamp."));
    }
    const second = await http.call("GET", `${base}/memories/m0`);
    expect(second.headers.get("etag")).not.toBe(etag);
    expect(second.body.versions.length).toBe(1);
    const weak = `W/${second.headers.get("etag")}`;
    await http.refused(412, "edit_conflict", "PATCH", `${base}/memories/m0`, change(weak, "I bought no lamp."));
    for (const value of [`"x", ${second.headers.get("etag")}`, "*", null]) {
      const { status } = await http.call("PATCH", `${base}/memories/m0`, change(value, `Lamps: ${value}.`));
      expect(status).toBe(200);
    }
  });

  it("a change that was refused leaves its Idempotency-Key free", async () => {
    const change = (text: string, match: string): Parameters<Caller["call"]>[2] => ({
      body: { text },
      headers: { "if-match": match, "idempotency-key": "free again" },
    });
    const path = `${base}/memories/m1`;
    await http.refused(412, "edit_conflict", "PATCH", path, change("I bought no lamp at all.", '"x"'));
    const done = await http.call("PATCH", path, change("I bought four lamps at the market.", "*"));
    expect(done).toMatchObject({ status: 200, body: { id: "m1", isChanged: true } });
  });

  it("is refused changes that are none", async () => {
    await http.refused(400, "option_invalid", "PATCH", `${base}/memories/m1`, { body: {} });
    await http.refused(400, "request_invalid", "PATCH", `${base}/memories/m1`, { body: { id: "m9" } });
    await http.refused(404, "unknown_id", "PATCH", `${base}/memories/none`, { body: { text: "x" } });
    await http.refused(404, "unknown_id", "GET", `${base}/memories/none`);
    await http.refused(404, "unknown_id", "GET", `${base}/interactions/none`);
  });

  it("is corrected, and the link taken back", async () => {
    const reply = await http.call("POST", `${base}/memories/m1:correct`, { body: { text: "It was one lamp." } });
    expect(reply).toMatchObject({ status: 200, body: { updates: ["m1"], isNew: true } });
    const { id } = reply.body;
    expect((await http.call("GET", `${base}/memories/m1`)).body.outdatedBy).toEqual([id]);
    expect((await http.call("DELETE", `${base}/memories/${id}/updates?outdated=m1`)).status).toBe(204);
    expect((await http.call("GET", `${base}/memories/m1`)).body.outdatedBy).toEqual([]);
    await http.refused(400, "id_invalid", "DELETE", `${base}/memories/${id}/updates?outdated=m1`);
    await http.refused(400, "request_invalid", "DELETE", `${base}/memories/${id}/updates`);
    await http.refused(404, "unknown_id", "POST", `${base}/memories/none:correct`, { body: { text: "x y" } });
    const once = { body: { text: "It was no lamp." }, headers: { "idempotency-key": "c1" } };
    const [a, b] = [
      await http.call("POST", `${base}/memories/m1:correct`, once),
      await http.call("POST", `${base}/memories/m1:correct`, once),
    ];
    expect(b.text).toBe(a.text);
  });

  it("is pinned and unpinned", async () => {
    for (const asked of [{}, { body: {} }]) {
      expect((await http.call("PUT", `${base}/memories/m2/pin`, asked)).status).toBe(204);
    }
    const { pinnedArea } = (await http.call("GET", `${base}/memories/m2`)).body;
    expect(pinnedArea).toEqual(expect.any(String));
    expect((await http.call("PUT", `${base}/memories/m3/pin`, { body: { area: pinnedArea } })).status).toBe(204);
    expect((await http.call("DELETE", `${base}/memories/m2/pin`)).status).toBe(204);
    expect((await http.call("GET", `${base}/memories/m2`)).body.pinnedArea).toBeNull();
    await http.refused(400, "option_invalid", "PUT", `${base}/memories/m2/pin`, { body: { area: "no such area" } });
    await http.refused(404, "unknown_id", "PUT", `${base}/memories/${encodeURIComponent("a statement")}/pin`);
    expect((await http.call("GET", `${base}/history?limit=1000`)).text).not.toContain("a statement");
  });

  it("is pruned and restored", async () => {
    const count = (await http.call("GET", `${base}/stats`)).body.memoryCount as number;
    const { status, body } = await http.call("POST", `${base}/prune`, { body: { memoryCountMax: count - 1 } });
    expect({ status, count: body.memoryCount }).toEqual({ status: 200, count: count - 1 });
    const { id } = body.pruned[0];
    const restored = await http.call("POST", `${base}/interactions/${id}:restore`);
    expect(restored).toMatchObject({ status: 202, body: { id, isNew: false, operation: { outcome: "queued" } } });
    await serving.mnemosyne.settled();
    expect((await http.call("GET", `${base}/interactions/${id}`)).body).toMatchObject({ restored: true });
    await http.refused(404, "unknown_id", "POST", `${base}/interactions/none:restore`);
    await http.refused(400, "option_invalid", "POST", `${base}/prune`, { body: { memoryCountMax: -1 } });
  });

  it("is forgotten: by id, by list, by selection, with a receipt", async () => {
    const one = await http.call("DELETE", `${base}/memories/m5`);
    expect(one).toMatchObject({ status: 200, body: { forgotten: ["m5"], removed: { interactions: 1 } } });
    await http.refused(404, "unknown_id", "DELETE", `${base}/memories/m5`);
    const forget = `${base}/memories:forget`;
    expect((await http.call("POST", forget, { body: { ids: ["m4"] } })).body.forgotten).toEqual(["m4"]);
    const some = await http.call("POST", forget, { body: { filter: { place: "street 3" } } });
    expect(some.body.forgotten).toEqual(["m3"]);
    await http.refused(400, "option_invalid", "POST", forget, { body: {} });
    await http.refused(400, "option_invalid", "POST", forget, { body: { filter: {} } });
    await http.refused(400, "request_invalid", "POST", forget, { body: { ids: ["m0"], from: "2025-01-01" } });
    await http.refused(400, "request_invalid", "POST", forget, { body: { ids: [] } });
  });
});

describe("recall and the core summary", () => {
  it("answer, with the trace only if it is asked for", async () => {
    const asked = { query: "How many lamps?", seed: 3, tokenBudget: 300, limit: 2, filter: { agent: "office" } };
    const plain = await http.call("POST", `${base}/recall`, { body: asked });
    expect(plain.status).toBe(200);
    expect(plain.body).toMatchObject({ seed: 3, context: expect.any(String) });
    expect(plain.body.memories.length).toBeLessThanOrEqual(2);
    expect(plain.body).not.toHaveProperty("trace");
    const traced = await http.call("POST", `${base}/recall`, { body: { ...asked, trace: true } });
    expect(traced.body.trace.seed).toBe(3);
    expect(traced.body.memories).toEqual(plain.body.memories);
    await http.refused(400, "query_empty", "POST", `${base}/recall`, { body: { query: " " } });
    await http.refused(400, "request_invalid", "POST", `${base}/recall`, { body: { query: "x", topK: 3 } });
    await http.refused(400, "option_invalid", "POST", `${base}/recall`, { body: { query: "x", limit: -1 } });
  });

  it("say what is known about the person, now and then", async () => {
    const { status, body } = await http.call("GET", `${base}/core?update=true`);
    expect({ status, text: body.text }).toEqual({ status: 200, text: expect.any(String) });
    expect((await http.call("GET", `${base}/core?at=2020-01-01`)).body.text).toBe("N/A");
    const unknown = await http.call("GET", "/v1/persons/nobody/core");
    expect(unknown).toMatchObject({ status: 200, body: { text: "N/A", updatedAt: null } });
    await http.refused(404, "unknown_person", "GET", "/v1/persons/nobody/core?update=true");
    await http.refused(400, "request_invalid", "GET", `${base}/core?update=yes`);
    await http.refused(400, "time_invalid", "GET", `${base}/core?at=then`);
  });
});

describe("names in addresses", () => {
  const names = ["a/b", "with space", "Löwe 🦁", "100%", "%41", "x:close", "x:restore", "a?b#c", "a+b&c=d", "memories"];

  it("may have slashes, spaces, signs and any letters, for persons and ids", async () => {
    for (const name of names) {
      const person = `/v1/persons/${encodeURIComponent(name)}`;
      const id = encodeURIComponent(`id ${name}`);
      const plain = encodeURIComponent(name);
      const body = { id: `id ${name}`, summary: `I am ${name}.`, keep: true };
      const made = await http.call("POST", `${person}/interactions?wait=true`, { body });
      expect({ name, id: made.body.id }).toEqual({ name, id: `id ${name}` });
      expect((await http.call("GET", `${person}/memories/${id}`)).body.id).toBe(`id ${name}`);
      await http.call("POST", `${person}/interactions?wait=true`, {
        body: { ...body, id: name, summary: `Me: ${name}!` },
      });
      const accepted = await http.call("POST", `${person}/interactions`, {
        body: { ...body, id: name, summary: `Me: ${name}!` },
      });
      const item = await http.call("GET", accepted.headers.get("location")!);
      expect({ name, id: item.body.id }).toEqual({ name, id: name });
      expect((await http.call("DELETE", `${person}/memories/${plain}`)).body.forgotten).toEqual([name]);
      expect((await http.call("GET", `${person}/stats`)).body.person).toBe(name);
    }
    const { body } = await http.call("GET", "/v1/persons?limit=1000");
    expect(names.filter((name) => !body.persons.includes(name))).toEqual([]);
  });

  it("that no memory could have are refused", async () => {
    await http.refused(400, "person_invalid", "GET", `/v1/persons/${encodeURIComponent("a\u0000b")}/stats`);
    await http.refused(400, "person_invalid", "GET", `/v1/persons/${"x".repeat(201)}/stats`);
    await http.refused(400, "id_invalid", "GET", `${base}/memories/${"x".repeat(201)}`);
  });

  it("never mean another address: dots and bad escapes", async () => {
    const before = (await serving.mnemosyne.persons()).length;
    for (const path of [
      `${base}/memories/..`,
      `${base}/memories/%2e%2e`,
      `${base}/memories/.`,
      `${base}/memories/`,
      `${base}/`,
      "/v1/persons/",
      "/v1/persons/%",
      "/v1/persons/%ff%fe",
    ]) {
      const { status } = await sendRaw(serving.url, "DELETE", path);
      expect({ path, isRefused: status >= 400 && status < 500 }).toEqual({ path, isRefused: true });
    }
    expect((await serving.mnemosyne.persons()).length).toBe(before);
  });
});

describe("methods", () => {
  it("that an address does not have are refused with those it has", async () => {
    const reply = await http.refused(405, "method_not_allowed", "PUT", `${base}/memories/m0`);
    expect(reply.headers.get("allow")!.split(", ").sort()).toEqual(["DELETE", "GET", "PATCH"]);
    await http.refused(405, "method_not_allowed", "DELETE", `${base}/core`);
    await http.refused(405, "method_not_allowed", "POST", "/health");
    await http.refused(404, "route_unknown", "GET", "/v2/persons");
    await http.refused(404, "route_unknown", "GET", `${base}/memory`);
  });

  it("HEAD answers as GET does, without the body", async () => {
    for (const path of [`${base}/memories/m0`, `${base}/memories`, "/health", "/openapi.json"]) {
      const [head, get] = [await http.call("HEAD", path), await http.call("GET", path)];
      expect({ path, status: head.status, text: head.text }).toEqual({ path, status: 200, text: "" });
      expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
      expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
    }
    const missing = await http.call("HEAD", `${base}/memories/none`);
    expect(missing).toMatchObject({ status: 404, text: "" });
  });
});
