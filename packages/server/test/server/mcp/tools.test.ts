/** The tools, with the SDK's own client over HTTP, for clients of either protocol generation. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "@modelcontextprotocol/client";
import { tools } from "../../../src/server/mcp/memory-server.js";
import { type McpTestServer, call, connectTo, eras, keyFor, startMcpServer } from "./mcp-server.js";

let server: McpTestServer;
const clients: Client[] = [];

beforeAll(async () => {
  const keys = { all: keyFor("k1", ["*"]), look: keyFor("k2", ["*"], true) };
  server = await startMcpServer({ keys });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await server.stop();
});

const writing = ["commit_memory", "update_memory", "forget_memory", "forget_all_memories"].toSorted();
const reading = ["recall_memories", "get_core_summary", "list_memories", "get_memory"].toSorted();

describe.each(eras)("a client of %s", (era) => {
  async function connect(person: string, key = "all"): Promise<Client> {
    const { client } = await connectTo(server.url, { era, key, person: `${era}-${person}` });
    clients.push(client);
    return client;
  }

  it("is told that a condition has a name that nothing can have", async () => {
    const client = await connect("names");
    const filter = JSON.parse('{"__proto__":"x"}') as Record<string, string>;
    const { content, isError } = await client.callTool({ name: "list_memories", arguments: { filter } });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain("there is no arguments.filter.__proto__; leave it out");
  });

  it("sees the tools, with what they do, take and return", async () => {
    const client = await connect("lists");
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name).toSorted()).toEqual([...reading, ...writing].toSorted());
    for (const { name, description, annotations, inputSchema, outputSchema } of listed) {
      expect(description?.length, name).toBeGreaterThan(60);
      expect(annotations, name).toMatchObject({ readOnlyHint: reading.includes(name), openWorldHint: false });
      expect(Object.keys(inputSchema.properties ?? {}), name).not.toContain("person");
      expect(JSON.stringify({ inputSchema, outputSchema }), name).not.toContain("$ref");
      expect(outputSchema, name).toBeDefined();
    }
    const destructive = listed.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name);
    expect(destructive.toSorted()).toEqual(["forget_all_memories", "forget_memory", "update_memory"]);
  });

  it("commits, recalls, lists, reads, changes and forgets", async () => {
    const client = await connect("whole");
    const committed = await call(client, "commit_memory", { text: "My sister Ilse lives in Porto.", keep: true });
    expect(committed).toMatchObject({ isError: false, structured: { outcome: "committed", isNew: true } });
    const id = String(committed.structured["id"]);

    const recalled = await call(client, "recall_memories", { query: "Where does my sister Ilse live?" });
    expect(recalled.structured["memories"]).toMatchObject([{ id }]);
    expect(recalled.text).toContain("<<<MEMORY");
    expect(recalled.text).toContain("Porto");
    expect(recalled.text).toContain(id);

    await call(client, "update_memory", { id, text: "My sister Ilse lives in Braga." });
    const detail = await call(client, "get_memory", { id });
    expect(detail.structured).toMatchObject({ id, turns: [{ who: "user", text: "My sister Ilse lives in Braga." }] });
    expect(detail.structured["versions"]).toHaveLength(1);

    const listed = await call(client, "list_memories");
    expect(listed.structured).toMatchObject({ memories: [{ id }], nextCursor: null });
    expect(await call(client, "get_core_summary")).toMatchObject({ isError: false });

    const receipt = await call(client, "forget_memory", { id });
    expect(receipt.structured).toMatchObject({ forgotten: [id], removed: { interactions: 1, memories: 1 } });
    expect((await call(client, "list_memories")).structured).toEqual({ memories: [], nextCursor: null });
  });

  it("names statements: to read, update and forget them", async () => {
    const client = await connect("statements");
    const text = "My sister Ilse lives in Porto. My boat is called Gull. I play the cello.";
    await call(client, "commit_memory", { id: "told", text, at: "2025-03-01", keep: true });
    const detail = await call(client, "get_memory", { id: "told" });
    const [porto, gull, cello] = ["told#0", "told#1", "told#2"];
    expect(detail.structured["statements"]).toMatchObject([
      { id: porto },
      { id: gull, text: "My boat is called Gull." },
      {},
    ]);
    for (const name of [porto, gull, cello]) expect(detail.text).toContain(name);

    const moved = { id: "moved", text: "Ilse moved to Braga.", updates: [porto], keep: true };
    const updated = await call(client, "commit_memory", moved);
    expect(updated.structured).toMatchObject({ ended: [porto], updates: ["told"], forgetAsked: [] });
    const { structured } = await call(client, "get_memory", { id: "told" });
    expect(structured["statements"]).toMatchObject([{ endedAt: expect.any(String) as string }, { endedAt: null }, {}]);

    expect(await call(client, "forget_memory", {})).toMatchObject({ isError: true });
    const receipt = await call(client, "forget_memory", { ids: [gull, cello] });
    expect(receipt.structured["forgotten"]).toEqual([gull, cello]);
    expect((await call(client, "get_memory", { id: "told" })).structured["statements"]).toMatchObject([{ id: porto }]);
  });

  it("is told what a wish to forget means, and that it is held back until it is forgotten", async () => {
    const client = await connect("wishes");
    await call(client, "commit_memory", { id: "told", text: "My boat is called Gull.", at: "2025-03-01", keep: true });
    const wish = { id: "wish", text: "Please forget what I said about the boat." };
    const asked = await call(client, "commit_memory", wish);
    expect(asked.structured).toMatchObject({ outcome: "forgetAsked", forgetAsked: ["told#0"] });
    expect(asked.text).toMatch(/forget_memory.*told#0/u);
    for (const [name, args] of [
      ["recall_memories", { query: "What is my boat called?" }],
      ["list_memories"],
    ] as const) {
      expect(JSON.stringify(await call(client, name, args))).not.toContain("Gull");
    }
    const receipt = await call(client, "forget_memory", { id: "told#0" });
    expect(receipt.structured).toMatchObject({ forgotten: ["told"], removed: { memories: 1 } });
  });

  it("never hears what was withdrawn as not true", async () => {
    const client = await connect("withdrawn");
    await call(client, "commit_memory", { id: "told", text: "My boat is called Gull. I play the cello.", keep: true });
    await server.mnemosyne.person(`${era}-withdrawn`).withdraw("told#0", "untrue");
    const recalled = await call(client, "recall_memories", { query: "What is my boat called? What do I play?" });
    const listed = await call(client, "list_memories");
    for (const { text, structured } of [recalled, listed]) {
      expect(text).toContain("cello");
      expect(JSON.stringify([text, structured])).not.toContain("Gull");
    }
    expect((await call(client, "get_memory", { id: "told" })).structured["statements"]).toMatchObject([
      { id: "told#0", marks: ["untrue"] },
      { id: "told#1", marks: [] },
    ]);
  });

  it("gets pages", async () => {
    const client = await connect("pages");
    const interactions = Array.from({ length: 5 }, (_, i) => ({
      id: `m${i}`,
      summary: `Plan ${i}`,
      at: i,
      keep: true,
    }));
    const person = server.mnemosyne.person(`${era}-pages`);
    await person.commitMany(interactions);
    await person.settled();
    const first = await call(client, "list_memories", { limit: 3 });
    expect(first.structured["memories"]).toHaveLength(3);
    const { nextCursor: cursor } = first.structured;
    expect(first.text).toContain(String(cursor));
    const second = await call(client, "list_memories", { limit: 3, cursor });
    expect(second.structured).toMatchObject({ memories: [{ id: "m3" }, { id: "m4" }], nextCursor: null });
  });

  it("gets an empty memory where nothing was said, not an error", async () => {
    const client = await connect("nobody");
    expect(await call(client, "list_memories")).toMatchObject({ isError: false, structured: { memories: [] } });
    expect(await call(client, "recall_memories", { query: "Who is it?" })).toMatchObject({ isError: false });
    expect(await call(client, "get_core_summary")).toMatchObject({ isError: false });
    expect(await call(client, "forget_all_memories")).toMatchObject({ isError: false, structured: { forgotten: [] } });
  });

  it.each([
    ["recall_memories", {}, /query: this argument is missing.*Example of right arguments: \{"query"/u],
    ["commit_memory", { text: "x", person: "bob" }, /there is no argument "person"; leave it out/u],
    ["get_memory", { id: "nothing-such" }, /^unknown_.*(?:recall_memories|commit_memory)/u],
    ["update_memory", { id: "x" }, /Say what to change/u],
    ["recall_memories", { query: " " }, /^query_empty: .*Put the user's question into query/u],
    ["commit_memory", { text: "x", at: "tomorrow" }, /^time_invalid: .*ISO 8601/u],
  ])("is told how to call %s, given %j", async (name, args, message) => {
    const result = await call(await connect("wrong"), name, args);
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(message);
  });

  it("keeps all of 50 parallel commits", async () => {
    const client = await connect("parallel");
    const texts = Array.from({ length: 50 }, (_, index) => `Appointment ${index} is in room ${index * 7}.`);
    const results = await Promise.all(texts.map((text) => call(client, "commit_memory", { text, keep: true })));
    expect(results.filter(({ isError }) => isError)).toEqual([]);
    const history = await server.mnemosyne.person(`${era}-parallel`).history();
    expect(history.map(({ turns }) => turns[0]?.text).toSorted()).toEqual(texts.toSorted());
    expect(new Set(results.map(({ structured }) => structured["id"])).size).toBe(50);
  });

  it("may not write with a key that only reads", async () => {
    const writer = await connect("read-only");
    await call(writer, "commit_memory", { id: "kept", text: "The bike is blue.", keep: true });
    const reader = await connect("read-only", "look");
    const { tools: listed } = await reader.listTools();
    expect(listed.map(({ name }) => name).toSorted()).toEqual(reading);
    const attempts: [string, Record<string, unknown>][] = [
      ["commit_memory", { text: "The bike is red." }],
      ["update_memory", { id: "kept", text: "The bike is red." }],
      ["forget_memory", { id: "kept" }],
      ["forget_all_memories", { confirm: `${era}-read-only` }],
    ];
    expect(attempts.map(([name]) => name).toSorted()).toEqual(writing);
    for (const [name, args] of attempts) {
      const result = await call(reader, name, args);
      expect(result).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^not_allowed: .*only read/u) as string,
      });
      expect(server.audit.at(-1)).toMatchObject({ action: "refuse", operation: name, keyId: "k2", outcome: 403 });
    }
    expect((await call(reader, "get_memory", { id: "kept" })).text).toContain("blue");
    expect(await server.mnemosyne.person(`${era}-read-only`).history()).toHaveLength(1);
  });
});

it("notes every call in the audit, without a text", async () => {
  const { client } = await connectTo(server.url, { key: "all", person: "audited" });
  clients.push(client);
  const before = server.audit.length;
  await call(client, "commit_memory", { id: "a1", text: "Zanzibar is where the treasure lies.", keep: true });
  await call(client, "recall_memories", { query: "Zanzibar?" });
  await call(client, "get_memory", { id: "unknown" });
  await call(client, "forget_memory", { id: "a1" });
  const entries = server.audit.slice(before);
  const common = { keyId: "k1", person: "audited" };
  expect(entries).toEqual([
    { ...common, action: "commit", operation: "commit_memory", ids: ["a1"], outcome: "ok" },
    { ...common, action: "read", operation: "recall_memories", ids: ["a1"], outcome: "ok" },
    { ...common, action: "read", operation: "get_memory", outcome: 404 },
    { ...common, action: "forget", operation: "forget_memory", ids: ["a1"], outcome: "ok" },
  ]);
  expect(JSON.stringify([entries, server.logged])).not.toMatch(/zanzibar|treasure/iu);
});

it("costs a model less than 6,000 tokens to be told of", () => {
  const length = JSON.stringify(tools.map(({ listed }) => listed)).length;
  expect(length / 4).toBeLessThan(6_000);
});
