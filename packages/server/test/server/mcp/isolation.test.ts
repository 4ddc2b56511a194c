/** Persons, keys and sessions: nobody sees, changes or hears of what is somebody else's. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpTestServer, call, connectTo, eras, eventually, keyFor, startMcpServer } from "./mcp-server.js";

let server: McpTestServer;
beforeAll(async () => {
  const keys = {
    ada: keyFor("ka", ["ada"]),
    ada2: keyFor("ka2", ["ada"]),
    bob: keyFor("kb", ["bob"]),
    care: keyFor("kc", ["ward-*"]),
  };
  server = await startMcpServer({ keys });
});
afterAll(() => server.stop());

/** As a client of before 2026-07-28 sends it. */
function post(headers: Record<string, string>, body: unknown, url = server.url): Promise<Response> {
  const fixed = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  return fetch(url, { method: "POST", headers: { ...fixed, ...headers }, body: JSON.stringify(body) });
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};
const listTools = { jsonrpc: "2.0", id: 2, method: "tools/list" };

async function openSession(headers: Record<string, string>, url = server.url): Promise<string> {
  const response = await post(headers, initialize, url);
  await response.text();
  expect(response.status).toBe(200);
  return String(response.headers.get("mcp-session-id"));
}

describe.each(eras)("keys of two persons, clients of %s", (era) => {
  it("never see each other's memories", async () => {
    const { client: ada } = await connectTo(server.url, { era, key: "ada" });
    const { client: bob } = await connectTo(server.url, { era, key: "bob" });
    const id = `${era}-secret`;
    await call(ada, "commit_memory", { id, text: "The safe code is heliotrope.", keep: true });
    await call(bob, "commit_memory", { id: `${era}-own`, text: "Bob likes tea.", keep: true });
    const seen = [
      await call(bob, "recall_memories", { query: "What is the safe code heliotrope?" }),
      await call(bob, "list_memories"),
      await call(bob, "get_memory", { id }),
      await call(bob, "update_memory", { id, text: "The safe code is mine." }),
      await call(bob, "forget_memory", { id }),
      await call(bob, "get_core_summary"),
      await bob.listResources(),
      await bob.readResource({ uri: `mnemosyne://memories/${id}` }).catch((error: unknown) => String(error)),
      await bob.getPrompt({ name: "with_memory", arguments: { question: "What is the safe code?" } }),
    ];
    expect(JSON.stringify(seen)).not.toContain("heliotrope");
    expect((await call(ada, "get_memory", { id })).text).toContain("heliotrope");
    await Promise.all([ada.close(), bob.close()]);
  });

  it("are refused other persons, whether these exist or not", async () => {
    const answers = await Promise.all(
      ["ada", "nobody-there"].map((person) =>
        connectTo(server.url, { era, key: "bob", person }).catch((error: unknown) => String(error)),
      ),
    );
    expect(answers[0]).toMatch(/not_allowed|403/u);
    expect(answers[1]).toBe(answers[0]);
    expect(server.audit.at(-1)).toMatchObject({ action: "refuse", operation: "mcp", keyId: "kb", outcome: 403 });
  });

  it("use the person of the header or the address where a key has several", async () => {
    const { client: byHeader } = await connectTo(server.url, { era, key: "care", person: "ward-1" });
    await call(byHeader, "commit_memory", { id: `${era}-w1`, text: "Ward one.", keep: true });
    const { client: byAddress } = await connectTo(`${server.url}?person=ward-2`, { era, key: "care" });
    await call(byAddress, "commit_memory", { id: `${era}-w2`, text: "Ward two.", keep: true });
    const idsOf = async (person: string): Promise<string[]> =>
      (await server.mnemosyne.person(person).history()).map(({ id }) => id);
    expect(await idsOf("ward-1")).toContain(`${era}-w1`);
    expect(await idsOf("ward-1")).not.toContain(`${era}-w2`);
    expect(await idsOf("ward-2")).toContain(`${era}-w2`);
    await expect(connectTo(server.url, { era, key: "care" })).rejects.toThrow();
    await Promise.all([byHeader.close(), byAddress.close()]);
  });
});

it("a name that nobody can have is refused", async () => {
  const headers = { authorization: "Bearer care", "mnemosyne-person": `ward-${"x".repeat(300)}` };
  const response = await post(headers, initialize);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "person_invalid" });
});

describe("a session", () => {
  it("does not exist for another key, nor for another person", async () => {
    const session = { "mcp-session-id": await openSession({ authorization: "Bearer ada" }) };
    const statuses = async (headers: Record<string, string>): Promise<number[]> => {
      const all = { ...session, ...headers };
      const posted = await post(all, listTools);
      await posted.text();
      const listened = await fetch(server.url, { headers: { ...all, accept: "text/event-stream" } });
      await listened.body?.cancel();
      const ended = await fetch(server.url, { method: "DELETE", headers: all });
      await ended.text();
      return [posted.status, listened.status, ended.status];
    };
    expect(await statuses({ authorization: "Bearer bob" })).toEqual([404, 404, 404]);
    expect(await statuses({ authorization: "Bearer ada2" })).toEqual([404, 404, 404]);
    expect(await statuses({ authorization: "Bearer ada" })).toEqual([200, 200, 200]);
    expect(await statuses({ authorization: "Bearer ada" })).toEqual([404, 404, 404]);

    const ward = { authorization: "Bearer care", "mnemosyne-person": "ward-1" };
    const wardSession = { "mcp-session-id": await openSession(ward) };
    expect((await post({ ...ward, ...wardSession, "mnemosyne-person": "ward-2" }, listTools)).status).toBe(404);
    expect((await post({ ...ward, ...wardSession }, listTools)).status).toBe(200);
  });

  it("is needed by who does not open one", async () => {
    expect((await post({ authorization: "Bearer ada" }, listTools)).status).toBe(400);
    const unknown = { authorization: "Bearer ada", "mcp-session-id": "00000000-0000-4000-8000-000000000000" };
    expect((await post(unknown, listTools)).status).toBe(404);
  });
});

describe("the number of sessions", () => {
  const ada = { authorization: "Bearer ada" };
  const bob = { authorization: "Bearer bob" };
  const eve = { authorization: "Bearer eve" };
  const keys = { ada: keyFor("ka", ["ada"]), bob: keyFor("kb", ["bob"]), eve: keyFor("ke", ["eve"]) };

  async function statusOf(url: string, headers: Record<string, string>, id: string): Promise<number> {
    const response = await post({ ...headers, "mcp-session-id": id }, listTools, url);
    await response.text();
    return response.status;
  }

  it("is limited for each caller, who loses their own that was used longest ago", async () => {
    const limits = { sessionCountMax: 10, sessionsPerCallerMax: 2, idleSecondsMax: 60 };
    const small = await startMcpServer({ keys, limits });
    const { url } = small;
    const bobs = await openSession(bob, url);
    const first = await openSession(ada, url);
    const second = await openSession(ada, url);
    expect(await statusOf(url, ada, first)).toBe(200);
    const third = await openSession(ada, url);
    expect(await statusOf(url, ada, second)).toBe(404);
    expect(await statusOf(url, ada, first)).toBe(200);
    expect(await statusOf(url, ada, third)).toBe(200);
    expect(await statusOf(url, bob, bobs)).toBe(200);
    await small.stop();
  });

  it("is limited for all; one with an open stream is in use, and nobody takes it away", async () => {
    const limits = { sessionCountMax: 2, sessionsPerCallerMax: 2, idleSecondsMax: 60 };
    const small = await startMcpServer({ keys, limits });
    const { url } = small;
    const adas = await openSession(ada, url);
    const listening = await fetch(url, { headers: { ...ada, "mcp-session-id": adas, accept: "text/event-stream" } });
    const bobs = await openSession(bob, url);
    const eves = await openSession(eve, url);
    expect(await statusOf(url, bob, bobs)).toBe(404);
    expect(await statusOf(url, ada, adas)).toBe(200);
    const alsoListening = await fetch(url, {
      headers: { ...eve, "mcp-session-id": eves, accept: "text/event-stream" },
    });
    const refused = await post(bob, initialize, url);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ code: "too_busy" });
    await Promise.all([listening.body?.cancel(), alsoListening.body?.cancel()]);
    await eventually(async () => (await post(bob, initialize, url)).status === 200);
    await small.stop();
  });

  it("goes down when nobody uses them", async () => {
    const limits = { sessionCountMax: 10, sessionsPerCallerMax: 10, idleSecondsMax: 0.02 };
    const small = await startMcpServer({ keys, limits });
    const id = await openSession(ada, small.url);
    await eventually(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return (await statusOf(small.url, ada, id)) === 404;
    });
    await small.stop();
  });
});

describe("a body", () => {
  it.each([
    ["that is not JSON", "application/json", "{", 400],
    ["of another type", "text/plain", "{}", 415],
    ["that is too long", "application/json", JSON.stringify({ x: "y".repeat(5_000_000) }), 413],
    ["that is no message", "application/json", "null", 400],
  ])("%s is refused", async (_what, type, body, status) => {
    const headers = {
      authorization: "Bearer ada",
      "content-type": type,
      accept: "application/json, text/event-stream",
    };
    const response = await fetch(server.url, { method: "POST", headers, body });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: {} });
  });
});
