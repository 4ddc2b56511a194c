/**
 * A key of one person can never see, change or infer another's memory. Walks every door with every kind of key, for people
 * who exist and people who do not.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { type Door, type WalkedIds, headDoors, mcpDoors, otherRoutes, proxyDoors, restDoors } from "./doors.js";
import type { RawAnswer } from "./exact-client.js";
import { type KeyName, type WalkedServer, prepare, startWalkedServer } from "./walked-server.js";

const scratch = new ScratchFolder();
const secret = "qzxjvk";
const victim = "bob-victim";
const doors: readonly Door[] = [...restDoors, ...headDoors, ...mcpDoors, ...proxyDoors];
const named = doors.map((door) => [door.name, door] as const);
const madeUp: WalkedIds = {
  memory: "no-1",
  later: "no-2",
  earlier: "no-3",
  pinned: "no-4",
  pruned: "no-5",
  conversation: "no-6",
};
/** Names that the keys below do not reach: of somebody, of nobody, near misses, and what is no name at all. */
const unreachable = [victim, "nobody-there", "adam", "ad", "team", "teamster-a", "Ada", "__proto__"];

let server: WalkedServer;
let victimIds: WalkedIds;
let before: readonly string[];

beforeAll(async () => {
  server = await startWalkedServer(scratch);
  victimIds = await prepare(server.mnemosyne, victim, secret);
  for (const person of ["adam", "team"]) await prepare(server.mnemosyne, person, secret);
});
beforeEach(async () => {
  await server.mnemosyne.settled();
  before = await exportOf(victim);
  expect(before.join("\n")).toContain(secret);
});
afterEach(async () => {
  expect(await exportOf(victim)).toEqual(before);
});

const exportOf = async (person: string): Promise<string[]> => {
  const lines: string[] = [];
  for await (const line of server.mnemosyne.person(person).export()) lines.push(line);
  return lines;
};
const ask = (key: string | null, door: Door, person: string, ids: WalkedIds): Promise<RawAnswer> =>
  server.send(key, door.request(person, ids), door.isEnough);

/** All that a caller sees, but for what is random or the time. */
function visible({ status, headers, body }: RawAnswer): string {
  const { date: _date, "x-request-id": _id, ...rest } = headers;
  return JSON.stringify({ status, headers: rest, body: body.toString() });
}

describe.each(named)("%s", (_, door) => {
  it.each(["ada", "adaReader", "team"] as const)("gives a key of others nothing: %s", async (key) => {
    const upstreamCount = server.upstream.requests.length;
    const seen = new Set<string>();
    const callCount = server.storeCalls.length;
    for (const person of unreachable) {
      for (const ids of [victimIds, madeUp]) seen.add(visible(await ask(server.keys[key], door, person, ids)));
    }
    // Refused with the same bytes whoever and whatever was asked for, before the store was touched.
    expect([...seen]).toHaveLength(1);
    expect([...seen][0]).toContain('{"status":403,');
    expect([...seen][0]).not.toContain(secret);
    expect([...seen][0]).not.toContain(victim);
    expect(server.storeCalls.slice(callCount)).toEqual([]);
    expect(server.upstream.requests).toHaveLength(upstreamCount);
  });

  it("gives nothing without a key that is valid", async () => {
    const { keys } = server;
    const stranger = `${keys.victim.slice(0, -2)}${keys.victim.endsWith("AA") ? "BB" : "AA"}`;
    const seen = new Set<string>();
    const callCount = server.storeCalls.length;
    for (const key of [keys.expired, keys.revoked, stranger, "mnk_garbage", "mnk_aaaaaaaa_".padEnd(56, "x")]) {
      for (const person of [victim, "nobody-there"]) seen.add(visible(await ask(key, door, person, victimIds)));
    }
    expect([...seen]).toHaveLength(1);
    expect([...seen][0]).toContain('{"status":401,');
    const without = await Promise.all([victim, "nobody-there"].map((person) => ask(null, door, person, victimIds)));
    expect(without.map(({ status }) => status)).toEqual([401, 401]);
    expect(visible(without[0]!)).toBe(visible(without[1]!));
    expect(server.storeCalls.slice(callCount)).toEqual([]);
  });

  it.each([
    ["ada", "ada"],
    ["admin", "ada"],
    ["team", "team-a"],
  ] as const)("answers a key that may: %s", async (key, person) => {
    const ids = await prepare(server.mnemosyne, person, "own");
    const answer = await ask(server.keys[key], door, person, ids);
    expect({ name: door.name, status: answer.status, text: answer.status < 300 ? "" : answer.body.toString() }).toEqual(
      {
        name: door.name,
        status: expect.toSatisfy((status: number) => status >= 200 && status < 300) as number,
        text: "",
      },
    );
    expect(answer.body.toString()).not.toContain('"isError":true');
    expect(answer.body.toString() + JSON.stringify(answer.headers)).not.toContain(secret);
  });

  it.each(["adaReader", "adminReader"] as const)("changes nothing for a key that only reads: %s", async (key) => {
    const ids = await prepare(server.mnemosyne, "ada", "own");
    const own = await exportOf("ada");
    const answer = await ask(server.keys[key], door, "ada", ids);
    const isRefused = answer.status === 403 || answer.body.toString().includes('"isError":true');
    expect(isRefused).toBe(door.isWriting);
    await server.mnemosyne.settled();
    expect(await exportOf("ada")).toEqual(own);
  });
});

describe("what concerns nobody in particular", () => {
  const get = (key: KeyName | null, target: string): Promise<RawAnswer> =>
    server.send(key === null ? null : server.keys[key], { method: "GET", target, headers: {} });

  it("is these routes", () => {
    expect(otherRoutes.map(({ path, need }) => `${path} ${need}`).toSorted()).toEqual([
      "/health anybody",
      "/metrics admin",
      "/ready anybody",
      "/v1/parameters key",
      "/v1/persons key",
    ]);
  });

  it("lists to a key the names that it has, and looks nobody up", async () => {
    const callCount = server.storeCalls.length;
    const lists = { ada: ["ada"], adaReader: ["ada"], team: ["team-*"] } as const;
    for (const [key, persons] of Object.entries(lists)) {
      const { body } = await get(key as KeyName, "/v1/persons");
      expect(JSON.parse(body.toString())).toEqual({
        persons,
        nextCursor: null,
        isAdmin: false,
        isReadOnly: key === "adaReader",
      });
    }
    for (const key of [null, "expired", "revoked"] as const) expect((await get(key, "/v1/persons")).status).toBe(401);
    expect(server.storeCalls.slice(callCount)).toEqual([]);
    expect((await get("admin", "/v1/persons")).body.toString()).toContain(victim);
  });

  it("has no names, ids or texts in metrics and log", async () => {
    for (const key of ["ada", "team", "victim"] as const) expect((await get(key, "/metrics")).status).toBe(403);
    const metrics = (await get("admin", "/metrics")).body.toString();
    expect(metrics).toContain("mnemosyne_request_seconds");
    for (const text of [metrics, server.logged.join("\n")]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(victim);
      expect(text).not.toContain("nobody-there");
      for (const key of Object.values(server.keys)) expect(text).not.toContain(key);
    }
  });

  it("is the same for anybody in health, readiness and documentation", async () => {
    for (const target of ["/health", "/ready", "/openapi.json"]) {
      const seen = new Set<string>();
      for (const key of [null, "ada", "admin", "expired"] as const) seen.add(visible(await get(key, target)));
      expect([...seen]).toHaveLength(1);
      expect([...seen][0]).not.toContain(victim);
    }
  });
});

describe("what is learned elsewhere about a person helps nobody else", () => {
  const own = (): Promise<WalkedIds> => prepare(server.mnemosyne, "ada", "own");
  const as = (key: KeyName, method: string, target: string, headers = {}, body?: object): Promise<RawAnswer> =>
    server.send(server.keys[key], {
      method,
      target,
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
    });

  it.each(["history", "memories"])("a cursor of another's %s is refused like one that is made up", async (list) => {
    await own();
    const page = await as("victim", "GET", `/v1/persons/${victim}/${list}?limit=2`);
    const { nextCursor } = JSON.parse(page.body.toString()) as { nextCursor: string };
    const [name, owner] = JSON.parse(Buffer.from(nextCursor, "base64url").toString()) as string[];
    const changed = Buffer.from(JSON.stringify([name, owner, "made up"])).toString("base64url");
    const answers = [];
    for (const cursor of [nextCursor, changed]) {
      answers.push(await as("ada", "GET", `/v1/persons/ada/${list}?cursor=${encodeURIComponent(cursor)}`));
    }
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    expect(visible(answers[0]!)).toBe(visible(answers[1]!));
    expect(visible(answers[0]!)).not.toContain(secret);
  });

  it("ids of another are unknown, as made-up ones are", async () => {
    const ids = await own();
    for (const door of restDoors.filter((each) => each.request("ada", ids).target.includes(ids.memory))) {
      const answers = [];
      for (const id of [victimIds.memory, "no-such-memory"]) {
        const { status, body } = await ask(server.keys.ada, door, "ada", { ...ids, memory: id });
        answers.push(`${status} ${body.toString().replaceAll(id, "…")}`);
      }
      expect(answers[0]).toMatch(/^4\d\d /u);
      expect(answers[0]).toBe(answers[1]);
    }
    const forgetting = await as("ada", "POST", "/v1/persons/ada/memories:forget", {}, { ids: [victimIds.memory] });
    expect(forgetting.status).toBeGreaterThanOrEqual(400);
    const linking = { text: "Oskar sold the violin.", updates: [victimIds.memory] };
    const linked = await as("ada", "POST", "/v1/persons/ada/interactions?wait=true", {}, linking);
    expect(linked.body.toString()).not.toContain(`about the violin of ${secret}`);
  });

  it("an etag of another's memory does not tell whether it still holds", async () => {
    const target = `/v1/persons/${victim}/memories/${victimIds.memory}`;
    const etag = (await as("victim", "GET", target)).headers["etag"]!;
    const seen = new Set<string>();
    for (const condition of [etag, '"made-up"', "*"]) {
      const patch = await as("ada", "PATCH", target, { "if-match": condition }, { text: "Nothing." });
      seen.add(visible(patch));
      expect(patch.status).toBe(403);
      expect(patch.headers["etag"]).toBeUndefined();
    }
    expect([...seen]).toHaveLength(1);
    expect([...seen][0]).toContain('{"status":403,');
  });

  it("an answer that is kept for an Idempotency-Key is given to the same key of the same person only", async () => {
    await own();
    await prepare(server.mnemosyne, "team-a", "own");
    const headers = { "idempotency-key": "the same for all" };
    const commit = (key: KeyName, person: string): Promise<RawAnswer> =>
      as(key, "POST", `/v1/persons/${person}/interactions?wait=true`, headers, { text: `Ines saw ${person}.` });
    const first = JSON.parse((await commit("team", "team-a")).body.toString()) as { isNew: boolean };
    const again = JSON.parse((await commit("team", "team-a")).body.toString()) as { isNew: boolean };
    const admins = JSON.parse((await commit("admin", "team-a")).body.toString()) as { isNew: boolean };
    // The admin's is a request of its own, about an interaction that is known by then.
    expect([first.isNew, again.isNew, admins.isNew]).toEqual([true, true, false]);
    expect((await commit("ada", "team-a")).status).toBe(403);
    expect((await commit("adaReader", "ada")).status).toBe(403);
    expect(JSON.parse((await commit("ada", "ada")).body.toString())).toMatchObject({ isNew: true });
  });

  it("a stream of events has the events of its person only", async () => {
    await own();
    const people = ["adam", "team", "team-a", "ada"];
    const request = { method: "GET", target: "/v1/persons/ada/events", headers: {} };
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const stream = server.send(server.keys.ada, request, (body) => {
      begin();
      return body.includes("the last one");
    });
    await begun;
    for (const person of people) {
      const id = person === "ada" ? "the last one" : `${secret} of ${person}`;
      await server.mnemosyne.person(person).commit({ id, summary: `${id} and a word.`, keep: true }, { wait: true });
    }
    const text = (await stream).body.toString();
    expect(text).toContain("event: committed");
    expect(text).not.toContain(secret);
    expect(text).not.toContain("adam");
  });
});

describe("addresses that look like one's own", () => {
  const zoe = { composed: "zo\u00eb", decomposed: "zoe\u0308" };
  const tricks = [
    `/v1/persons/ada/../${victim}/memories`,
    `/v1/persons/ada/%2e%2e/${victim}/memories`,
    `/v1/persons/ada/%2E./${victim}/memories`,
    `/v1/persons/ada%2f..%2f${victim}/memories`,
    `/v1/persons/ada/..%2f${victim}/memories`,
    `/v1/persons/ada/..;/${victim}/memories`,
    `/v1/persons/ada\\..\\${victim}/memories`,
    `/v1/persons/ada%5c..%5c${victim}/memories`,
    `/v1/persons/%252e%252e/${victim}/memories`,
    `//v1/persons/${victim}/memories`,
    `/v1//persons/${victim}/memories`,
    `/v1/persons//${victim}/memories`,
    `/v1/persons/${victim}/./memories`,
    `/v1/persons/${victim}./memories`,
    `/v1/persons/${victim}%20/memories`,
    `/v1/persons/${victim}%00/memories`,
    `/v1/persons/${victim.toUpperCase()}/memories`,
    `/v1/persons/%62ob-victim/memories`,
    `/v1/persons/%2562ob-victim/memories`,
    `/v1/persons/ada;person=${victim}/memories`,
    `/v1/persons/ada,${victim}/memories`,
    `/v1/persons/*/memories`,
    `/v1/persons/ada*/memories`,
    `/v1/persons/team-*/memories`,
    `/v1/persons/{person}/memories`,
    `/v1/persons/ada/memories?person=${victim}`,
    `/v1/persons/ada/memories/..%2f..%2f${victim}%2fmemories`,
    `/v1/persons/ada/memories/../../${victim}/export`,
    `/V1/persons/${victim}/memories`,
    `/v1/persons/${victim}/memories/`,
    `/v1/persons/${victim}/memories#/v1/persons/ada`,
    `http://127.0.0.1/v1/persons/${victim}/memories`,
    `/v1/persons/\u00c0da/memories`,
  ];
  /** What some proxies and frameworks take for the address or the method. */
  const overriding = {
    "x-original-url": `/v1/persons/${victim}/export`,
    "x-rewrite-url": `/v1/persons/${victim}/export`,
    "x-http-method-override": "DELETE",
    "mnemosyne-person": victim,
    "x-forwarded-host": victim,
  };

  it.each(tricks)("%s", async (target) => {
    await prepare(server.mnemosyne, "ada", "own");
    for (const key of ["ada", "adaReader", "team"] as const) {
      const { status, body } = await server.send(server.keys[key], { method: "GET", target, headers: {} });
      expect([400, 403, 404]).toContain(status);
      expect(body.toString()).not.toContain(secret);
    }
  });

  it("headers that name another person or address change nothing, whatever is read", async () => {
    const ids = await prepare(server.mnemosyne, "ada", "own");
    for (const door of [...restDoors.filter(({ isWriting }) => !isWriting), ...headDoors]) {
      const request = door.request("ada", ids);
      const sent = { ...request, headers: { ...request.headers, ...overriding } };
      const { status, body } = await server.send(server.keys.ada, sent, door.isEnough);
      expect({ door: door.name, status }).toEqual({ door: door.name, status: 200 });
      expect(body.toString()).not.toContain(secret);
      if (request.method === "HEAD") expect(body.byteLength).toBe(0);
    }
    const { body } = await server.send(server.keys.ada, {
      method: "GET",
      target: "/v1/persons/ada/export",
      headers: overriding,
    });
    expect(body.toString()).toContain("own-memory");
  });

  it("names are told apart letter by letter: one that is composed is not the decomposed one", async () => {
    await prepare(server.mnemosyne, `team-${zoe.composed}`, "composed-text");
    await prepare(server.mnemosyne, `team-${zoe.decomposed}`, "decomposed-text");
    for (const [name, own, other] of [
      [zoe.composed, '"composed-text-memory"', '"decomposed-text-memory"'],
      [zoe.decomposed, '"decomposed-text-memory"', '"composed-text-memory"'],
    ] as const) {
      const target = `/v1/persons/${encodeURIComponent(`team-${name}`)}/memories`;
      const { body } = await server.send(server.keys.team, { method: "GET", target, headers: {} });
      expect(body.toString()).toContain(own);
      expect(body.toString()).not.toContain(other);
    }
  });
});
