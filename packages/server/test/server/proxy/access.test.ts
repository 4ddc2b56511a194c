/** Whose memory a chat may use, and which keys go where. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { headersForUpstream, queryForUpstream } from "../../../src/server/proxy/upstream-headers.js";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";
import { type ProxyOptions, ProxyServer, eventually } from "./proxy-server.js";
import { ScriptedUpstream, completion } from "./scripted-upstream.js";

const scratch = new ScratchFolder();
let upstream: ScriptedUpstream;
let proxy: ProxyServer;

const access = (persons: string[], more = {}) => ({ keyId: "k", isAdmin: false, persons, isReadOnly: false, ...more });
const keys = {
  mnk_ada: access(["ada"]),
  mnk_reader: access(["ada"], { isReadOnly: true }),
  mnk_team: access(["team-*"]),
  mnk_admin: access([], { isAdmin: true }),
};
const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
const question = "Where does my sister Lena live?";
const messages = [{ role: "user", content: question }];
const paths = ["/v1/chat/completions", "/v1/responses", "/v1/messages"];
const bodyFor = (path: string, user?: string): object =>
  path === "/v1/messages"
    ? { messages, ...(user === undefined ? {} : { metadata: { user_id: user } }) }
    : { [path === "/v1/responses" ? "input" : "messages"]: messages, ...(user === undefined ? {} : { user }) };

beforeAll(async () => {
  upstream = await ScriptedUpstream.start();
  proxy = await ProxyServer.start({ path: scratch.next(), upstream: { url: upstream.origin }, keys });
  const turns = [{ who: "user", text: "My sister Lena lives in Porto." }];
  await proxy.mnemosyne.person("ada").commit({ turns, keep: true }, { wait: true });
});
afterAll(async () => {
  await proxy.stop();
  await upstream.stop();
});
beforeEach(() => {
  upstream.answer = completion("Noted.");
});

describe.each(paths)("%s", (path) => {
  it("uses the memory of the header's person, the body's, or the only one of the key", async () => {
    for (const [user, headers] of [
      [undefined, {}],
      ["ada", {}],
      ["ben", { "mnemosyne-person": "ada" }],
    ] as const) {
      const response = await proxy.post(path, bodyFor(path, user), { headers: { ...bearer("mnk_ada"), ...headers } });
      expect(response.headers.get("mnemosyne-memory")).toBe("used");
      expect(upstream.last.text).toContain("Porto");
    }
  });

  it("refuses another person, whether there is one or not, in both forms, and asks nobody", async () => {
    const before = upstream.requests.length;
    const bodies = await Promise.all(
      ["ada", "nobody", "team"].map(async (user) => {
        const response = await proxy.post(path, bodyFor(path, user), { headers: bearer("mnk_team") });
        expect(response.status).toBe(403);
        return JSON.stringify(await response.json()).replaceAll(user, "…");
      }),
    );
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0]!)).toMatchObject({ code: "not_allowed", status: 403, error: { code: "not_allowed" } });
    expect(upstream.requests).toHaveLength(before);
    expect(proxy.audited).toContainEqual(expect.objectContaining({ action: "refuse", person: "nobody", outcome: 403 }));
  });

  it("asks who is meant if that is not clear", async () => {
    for (const key of ["mnk_team", "mnk_admin"]) {
      const response = await proxy.post(path, bodyFor(path), { headers: bearer(key) });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: "request_invalid", error: { type: "request_invalid" } });
    }
    expect((await proxy.post(path, bodyFor(path, "x".repeat(300)), { headers: bearer("mnk_admin") })).status).toBe(400);
  });

  it("recalls for a key that may only read, and stores nothing", async () => {
    const before = JSON.stringify(await proxy.said("ada"));
    const body = JSON.stringify(bodyFor(path)).replace(question, "Where does Lena live, my sister?");
    const response = await proxy.post(path, body, { headers: bearer("mnk_reader") });
    expect(response.headers.get("mnemosyne-memory")).toBe("used");
    expect(response.headers.get("mnemosyne-commit")).toBe("off");
    await response.text();
    expect(JSON.stringify(await proxy.said("ada"))).toBe(before);
  });
});

it("a name in UTF-8 is read as curl sends it", async () => {
  const name = Buffer.from("team-zoë").toString("latin1");
  await (
    await proxy.post(paths[0]!, { messages }, { headers: { ...bearer("mnk_team"), "mnemosyne-person": name } })
  ).text();
  const said = await eventually(
    () => proxy.said("team-zoë"),
    (all) => all.flat().length === 2,
  );
  expect(said[0]![0]).toBe(`user: ${question}`);
});

it("who read and committed is noted, without a word of what was said", async () => {
  await (await proxy.post(paths[0]!, { messages }, { headers: bearer("mnk_ada") })).text();
  const entries = await eventually(
    () => proxy.audited.filter(({ person }) => person === "ada"),
    (all) => all.some(({ action }) => action === "commit"),
  );
  expect(entries).toContainEqual(
    expect.objectContaining({ action: "read", operation: "chat.completions", keyId: "k", outcome: "ok" }),
  );
  expect(JSON.stringify([proxy.audited, proxy.logged])).not.toMatch(/Lena|Porto|sister|mnk_/u);
});

describe("keys", () => {
  async function upstreamHeaders(
    path: string,
    headers: Record<string, string>,
    options: Partial<ProxyOptions["upstream"]> = {},
    ownKeys: ProxyOptions["keys"] | null = keys,
  ): Promise<Record<string, unknown>> {
    const server = await ProxyServer.start({
      path: scratch.next(),
      upstream: { url: upstream.origin, ...options },
      ...(ownKeys === null ? {} : { keys: ownKeys! }),
    });
    try {
      const response = await server.post(
        path,
        { messages: [] },
        { headers: { "mnemosyne-person": "ada", ...headers } },
      );
      expect(response.status).toBe(200);
      expect(JSON.stringify(upstream.last.headers)).not.toContain("mnk_");
      const { authorization = null, "x-api-key": key = null } = upstream.last.headers;
      return { authorization, key };
    } finally {
      await server.stop();
    }
  }

  it("of the memory never leave it", async () => {
    expect(await upstreamHeaders(paths[0]!, bearer("mnk_ada"))).toEqual({ authorization: null, key: null });
    expect(await upstreamHeaders(paths[2]!, { "x-api-key": "mnk_ada" })).toEqual({ authorization: null, key: null });
    expect(await upstreamHeaders(paths[0]!, { ...bearer("mnk_ada"), "x-other": "mnk_ada" })).toEqual({
      authorization: null,
      key: null,
    });
    expect(queryForUpstream("?a=1&key=mnk_x&b")).toBe("?a=1&b");
    const basic = new Headers({ authorization: `Basic ${Buffer.from("x:mnk_ada").toString("base64")}` });
    const caller = { isAnthropic: false, asksForKeys: true };
    expect(headersForUpstream(basic, { key: null }, caller)).toEqual({ "accept-encoding": "identity" });
    expect(headersForUpstream(basic, { key: null }, { ...caller, asksForKeys: false })).toHaveProperty("authorization");
  });

  it("for the upstream are the configured ones", async () => {
    const key = { key: "sk-1" };
    expect(await upstreamHeaders(paths[0]!, bearer("mnk_ada"), key)).toEqual({
      authorization: "Bearer sk-1",
      key: null,
    });
    expect(await upstreamHeaders(paths[2]!, { "x-api-key": "mnk_ada" }, key)).toEqual({
      authorization: null,
      key: "sk-1",
    });
  });

  it("or the caller's own", async () => {
    const own = { "x-upstream-authorization": "Bearer sk-3" };
    expect(await upstreamHeaders(paths[0]!, { ...bearer("mnk_ada"), ...own })).toEqual({
      authorization: "Bearer sk-3",
      key: null,
    });
    const alone = { "x-upstream-authorization": "sk-3" };
    expect(await upstreamHeaders(paths[2]!, { ...bearer("mnk_ada"), ...alone })).toEqual({
      authorization: null,
      key: "sk-3",
    });
    expect(await upstreamHeaders(paths[2]!, { ...bearer("mnk_ada"), "x-api-key": "sk-4" })).toEqual({
      authorization: null,
      key: "sk-4",
    });
    expect(await upstreamHeaders(paths[0]!, bearer("sk-5"), {}, null)).toEqual({
      authorization: "Bearer sk-5",
      key: null,
    });
  });

  it("reaches nothing but models, however the address is written", async () => {
    const before = upstream.requests.length;
    for (const name of ["..%2Ffiles", "x%2f..%2f..%2Ffiles", "%252e%252e%252Ffiles", "..%5cfiles", "%2e.%2Ffiles"]) {
      const { status } = await fetch(`${proxy.origin}/v1/models/${name}`, { headers: bearer("mnk_ada") });
      expect({ name, status }).toEqual({ name, status: 400 });
    }
    expect(upstream.requests.length).toBe(before);
    const { status } = await fetch(`${proxy.origin}/v1/models/org%2F..model`, { headers: bearer("mnk_ada") });
    expect({ status, paths: upstream.requests.slice(before).map(({ path }) => path) }).toEqual({
      status: 200,
      paths: ["/v1/models/org%2F..model"],
    });
  });
});
