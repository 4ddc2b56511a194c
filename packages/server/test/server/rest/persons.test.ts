/** People over HTTP: who is listed for whom, everything about one at once, out and in again. */
import { beforeAll, describe, expect, it } from "vitest";
import { addKey } from "../../../src/server/security/key-file.js";
import { Servers, type Serving } from "../serving.js";
import { Caller } from "./http.js";

const servers = new Servers();
let serving: Serving;
let http: Caller;

beforeAll(async () => {
  serving = await servers.start({ limits: { streamBytesMax: 200_000 } });
  http = new Caller(serving.url);
  for (const name of ["ada", "bob", "cleo"]) {
    const interactions = [
      { id: "one", summary: `${name} has a parrot.`, keep: true, metadata: { part: 1 } },
      { id: "two", summary: `${name} repairs old clocks in Porto.`, keep: true, metadata: { part: 2 } },
    ];
    await http.call("POST", `/v1/persons/${name}/interactions:batch`, { body: { interactions } });
  }
  await serving.mnemosyne.settled();
});

describe("GET persons", () => {
  it("lists everybody, in pages", async () => {
    const first = await http.call("GET", "/v1/persons?limit=2");
    expect(first.body.persons).toEqual(["ada", "bob"]);
    const rest = await http.call("GET", `/v1/persons?limit=2&cursor=${encodeURIComponent(first.body.nextCursor)}`);
    expect(rest.body).toEqual({ persons: ["cleo"], nextCursor: null, isAdmin: true, isReadOnly: false });
  });

  it("lists for a key whom it names, whether they exist or not, and everybody for an admin", async () => {
    const keysFile = servers.folder.next(".keys.json");
    const scope = { label: "", expiresAt: null, isAdmin: false, isReadOnly: false, persons: [] };
    const keyOf = async (more: object): Promise<string> => (await addKey(keysFile, { ...scope, ...more })).key;
    const admin = await keyOf({ isAdmin: true });
    const some = await keyOf({ persons: ["zoe", "team-*"] });
    const guarded = await servers.start({ keysFile });
    await guarded.mnemosyne.person("team-a").commit("I am in the team.");
    const as = async (key: string, path: string) =>
      new Caller(guarded.url).call("GET", path, { headers: { authorization: `Bearer ${key}` } });
    expect((await as(admin, "/v1/persons")).body.persons).toEqual(["team-a"]);
    expect((await as(some, "/v1/persons")).body).toMatchObject({
      persons: ["zoe", "team-*"],
      nextCursor: null,
      isAdmin: false,
    });
    expect((await as(some, "/v1/persons/team-a/history")).status).toBe(200);
    expect((await as(some, "/v1/persons/team-b/history")).body.code).toBe("unknown_person");
    expect((await as(some, "/v1/persons/ada/history")).body.code).toBe("not_allowed");
    expect((await as(some, "/metrics")).body.code).toBe("not_allowed");
    const nobody = new Caller(guarded.url);
    await nobody.refused(401, "key_missing", "GET", "/v1/persons");
    for (const path of ["/health", "/ready", "/openapi.json"]) {
      expect({ path, status: (await nobody.call("GET", path)).status }).toEqual({ path, status: 200 });
    }
  });
});

it("a key whose import takes its time keeps nobody else from importing", async () => {
  const keysFile = servers.folder.next(".keys.json");
  const scope = { label: "", expiresAt: null, isAdmin: false, isReadOnly: false };
  const keyOf = async (name: string): Promise<string> => (await addKey(keysFile, { ...scope, persons: [name] })).key;
  const [zoe, yan] = [await keyOf("zoe"), await keyOf("yan")];
  const { url } = await servers.start({ keysFile });
  const importAs = (key: string, name: string, body: string | ReadableStream<Uint8Array>): Promise<Response> =>
    fetch(`${url}/v1/persons/${name}/import`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" },
      body,
      duplex: "half",
    } as RequestInit);
  const line = '{"summary":"I keep bees."}\n';
  const held = [1, 2].map(() => {
    const slow = new TransformStream<Uint8Array, Uint8Array>();
    const writer = slow.writable.getWriter();
    void writer.write(new TextEncoder().encode(line));
    return { writer, answer: importAs(zoe, "zoe", slow.readable) };
  });
  const refused = await Promise.race(held.map(({ answer }) => answer));
  expect({ status: refused.status, code: ((await refused.json()) as { code: string }).code }).toEqual({
    status: 503,
    code: "too_busy",
  });
  expect((await importAs(yan, "yan", line)).status).toBe(200);
  await Promise.all(held.map(({ writer }) => writer.close().catch(() => {})));
  const statuses = await Promise.all(held.map(async ({ answer }) => (await answer).status));
  expect(statuses.toSorted()).toEqual([200, 503]);
});

describe("export and import", () => {
  it("make another person equal", async () => {
    const out = await http.call("GET", "/v1/persons/ada/export");
    expect(out.headers.get("content-type")).toBe("application/x-ndjson");
    const lines = out.text.trimEnd().split("\n");
    expect(JSON.parse(lines[0]!)).toMatchObject({ type: "mnemosyne-export", person: "ada" });
    const taken = await http.call("POST", "/v1/persons/ada-2/import", { raw: out.text });
    expect(taken).toMatchObject({ status: 200, body: { mode: "restored", acceptedCount: 2 } });
    const copy = await http.call("GET", "/v1/persons/ada-2/export");
    expect(copy.text.split("\n").slice(1)).toEqual(out.text.split("\n").slice(1));
    const again = await http.call("POST", "/v1/persons/ada-2/import", { raw: out.text });
    expect(again.body).toMatchObject({ acceptedCount: 0, knownCount: 2 });
  });

  it("seal what a memory with the same key can open", async () => {
    expect(await http.call("GET", "/v1/persons/ada/export?sealed=true")).toMatchObject({
      status: 400,
      body: { code: "option_invalid" },
    });
    const sealing = await servers.start({ memory: { encryptionKey: "a key" } });
    const other = new Caller(sealing.url);
    const { text } = await http.call("GET", "/v1/persons/ada/export");
    await other.call("POST", "/v1/persons/ada/import", { raw: text });
    const sealed = await other.call("GET", "/v1/persons/ada/export?sealed=true");
    expect(sealed.text).not.toMatch(/ada|parrot/u);
    expect(await other.call("POST", "/v1/persons/zoe/import", { raw: sealed.text })).toMatchObject({
      body: { mode: "restored", acceptedCount: 2 },
    });
    const refused = await http.call("POST", "/v1/persons/zoe/import", { raw: sealed.text });
    expect(refused).toMatchObject({ status: 400, body: { code: "import_invalid" } });
  });

  it("take a part, and interactions without a header", async () => {
    const filter = encodeURIComponent('{"part":2}');
    const part = await http.call("GET", `/v1/persons/bob/export?filter=${filter}`);
    expect(part.text).toContain("clocks");
    expect(part.text).not.toContain("parrot");
    const raw = '\uFEFF{"summary":"I own a ladder."}\r\n\r\n{"summary":"I sold a ladder.","id":"sold"}';
    const taken = await http.call("POST", "/v1/persons/bob-2/import", { raw });
    expect(taken).toMatchObject({ status: 200, body: { mode: "committed", acceptedCount: 2 } });
  });

  it("refuse what is wrong as a whole", async () => {
    const wrong = '{"summary":"I own a ladder."}\n{"summary":7}';
    const reply = await http.refused(400, "interaction_invalid", "POST", "/v1/persons/new/import", { raw: wrong });
    expect(reply.body.detail).toContain("line 2");
    await http.refused(400, "request_invalid", "POST", "/v1/persons/new/import", { raw: new Uint8Array([0xff, 0x0a]) });
    const long = `{"summary":"${"x".repeat(300_000)}"}`;
    await http.refused(413, "body_too_large", "POST", "/v1/persons/new/import", { raw: long });
    await http.refused(404, "unknown_person", "GET", "/v1/persons/new/export");
    expect(await serving.mnemosyne.persons()).not.toContain("new");
  });
});

describe("a person as a whole", () => {
  it("is counted and forgotten, with a receipt", async () => {
    const { body } = await http.call("GET", "/v1/persons/cleo/stats");
    expect(body).toMatchObject({ person: "cleo", memoryCount: 2 });
    const receipt = await http.call("DELETE", "/v1/persons/cleo");
    expect(receipt).toMatchObject({ status: 200, body: { removed: { interactions: 2 } } });
    await http.refused(404, "unknown_person", "GET", "/v1/persons/cleo/stats");
    await http.refused(404, "unknown_person", "DELETE", "/v1/persons/cleo");
  });
});

describe("the service", () => {
  it("lives, is ready, and counts", async () => {
    expect((await http.call("GET", "/health")).body).toEqual({ status: "ok" });
    expect((await http.call("GET", "/ready")).body).toEqual({ status: "ready" });
    const metrics = await http.call("GET", "/metrics");
    expect(metrics.headers.get("content-type")).toMatch(/^text\/plain/u);
    expect(metrics.text).toMatch(/mnemosyne_request_seconds_count\{operation="getStatistics",status="404"\} 1\n/u);
    expect(metrics.text).toMatch(/mnemosyne_events_total\{event="forgotten"\} 1\n/u);
    expect(metrics.text).toContain("mnemosyne_requests_running 1\n");
    expect(metrics.text).not.toContain("cleo");
  });

  it("is not ready when its store is closed", async () => {
    const broken = await servers.start();
    await broken.mnemosyne.close();
    await new Caller(broken.url).refused(503, "store_closed", "GET", "/ready");
    expect((await new Caller(broken.url).call("GET", "/health")).status).toBe(200);
  });
});
