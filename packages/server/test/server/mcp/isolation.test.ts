/** Persons and keys: nobody sees or changes what is somebody else's. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpTestServer, call, connectTo, eras, keyFor, startMcpServer } from "./mcp-server.js";

let server: McpTestServer;
beforeAll(async () => {
  const keys = {
    ada: keyFor("ka", ["ada"]),
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
