/**
 * Every way to a person's memory that the server has, each as a request about a person: all routes of REST, all tools of MCP,
 * all shapes of the proxy. A route or tool that is new and not described here fails the test that walks them.
 */
import { tools } from "../../src/server/mcp/memory-server.js";
import { restRoutes } from "../../src/server/rest/routes.js";
import type { RawRequest } from "./exact-client.js";

/** Of a person who was prepared for a walk. */
export interface WalkedIds {
  readonly memory: string;
  /** It made `earlier` outdated. */
  readonly later: string;
  readonly earlier: string;
  readonly pinned: string;
  readonly pruned: string;
  readonly conversation: string;
}

export interface Door {
  readonly name: string;
  readonly isWriting: boolean;
  readonly request: (person: string, ids: WalkedIds) => RawRequest;
  /** Stays open: enough has come when it holds. */
  readonly isEnough?: (body: Buffer) => boolean;
}

interface Recipe {
  readonly id?: keyof WalkedIds;
  readonly query?: (ids: WalkedIds) => Record<string, string>;
  readonly body?: (ids: WalkedIds) => object;
  readonly lines?: string;
}

const said = "Oskar told me that the bakery of the choir opens at seven.";
const recipes: Readonly<Record<string, Recipe>> = {
  commitInteraction: { body: () => ({ text: said }), query: () => ({ wait: "true" }) },
  commitInteractions: { body: () => ({ interactions: [{ text: said }] }) },
  getInteraction: { id: "memory" },
  restoreInteraction: { id: "pruned" },
  listHistory: { query: () => ({ limit: "5", newestFirst: "true" }) },
  recall: { body: () => ({ query: "What did Oskar tell me about the violin?", trace: true }) },
  getCoreSummary: {},
  listMemories: { query: () => ({ filter: '{"agent":"home"}' }) },
  getMemory: { id: "memory" },
  updateMemory: { id: "memory", body: () => ({ text: said }) },
  forgetMemory: { id: "memory" },
  correctMemory: { id: "memory", body: () => ({ text: said }) },
  pinMemory: { id: "memory", body: () => ({}) },
  unpinMemory: { id: "pinned" },
  withdrawMemory: { id: "memory", body: () => ({ reason: "untrue" }) },
  unlinkMemory: { id: "later", query: ({ earlier }) => ({ outdated: earlier }) },
  forgetMemories: { body: ({ memory }) => ({ ids: [memory] }) },
  getGraph: {},
  addTurn: { id: "conversation", body: () => ({ who: "user", text: said }) },
  closeConversation: { id: "conversation" },
  forgetPerson: {},
  getStatistics: {},
  prune: { body: () => ({ memoryCountMax: 2 }) },
  exportPerson: {},
  importPerson: { lines: `${JSON.stringify({ id: "imported", at: "2025-06-01", summary: said })}\n` },
  streamEvents: {},
};

/** Routes about one person. Those about nobody have tests of their own. */
const personRoutes = restRoutes.filter(({ path }) => path.includes("{person}"));
export const otherRoutes = restRoutes.filter(({ path }) => !path.includes("{person}"));

export const restDoors: readonly Door[] = personRoutes.map(({ operationId, method, path, need }) => {
  const recipe = recipes[operationId];
  if (recipe === undefined) throw new Error(`${operationId} has no recipe here: how is it called?`);
  const isWriting = need === "write";
  if (!isWriting && need !== "read") throw new Error(`${operationId} is about a person, and open to ${need}`);
  return {
    name: operationId,
    isWriting,
    request: (person, ids) => {
      const place = path
        .replace("{person}", encodeURIComponent(person))
        .replace("{id}", encodeURIComponent(ids[recipe.id ?? "memory"]));
      const search = new URLSearchParams(recipe.query?.(ids)).toString();
      const target = `${place}${search === "" ? "" : `?${search}`}`;
      const text = recipe.lines ?? (recipe.body === undefined ? null : JSON.stringify(recipe.body(ids)));
      const type = recipe.lines === undefined ? "application/json" : "application/x-ndjson";
      const verb = method.toUpperCase();
      if (text === null) return { method: verb, target, headers: {} };
      return { method: verb, target, headers: { "content-type": type }, body: Buffer.from(text) };
    },
    ...(operationId === "streamEvents" ? { isEnough: (body: Buffer) => body.includes("\n\n") } : {}),
  };
});

/** HEAD is answered wherever GET is. */
export const headDoors: readonly Door[] = restDoors
  .filter((_, i) => personRoutes[i]!.method === "get" && personRoutes[i]!.operationId !== "streamEvents")
  .map((door) => ({
    ...door,
    name: `HEAD ${door.name}`,
    request: (person, ids) => ({ ...door.request(person, ids), method: "HEAD" }),
  }));

const toolArguments: Readonly<Record<string, (ids: WalkedIds, person: string) => object>> = {
  recall_memories: () => ({ query: "What did Oskar tell me about the violin?" }),
  get_core_summary: () => ({}),
  list_memories: () => ({}),
  get_memory: ({ memory }) => ({ id: memory }),
  commit_memory: () => ({ text: said }),
  update_memory: ({ memory }) => ({ id: memory, text: said }),
  forget_memory: ({ memory }) => ({ id: memory }),
  forget_all_memories: (_, person) => ({ confirm: person }),
};
const protocolVersion = "2026-07-28";

export const mcpDoors: readonly Door[] = tools.map(({ listed: { name }, isWriting }) => {
  const argumentsOf = toolArguments[name];
  if (argumentsOf === undefined) throw new Error(`the tool ${name} has no arguments here: how is it called?`);
  return toMcpDoor(name, isWriting, argumentsOf);
});

function toMcpDoor(name: string, isWriting: boolean, argumentsOf: (ids: WalkedIds, person: string) => object): Door {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": protocolVersion,
    "io.modelcontextprotocol/clientInfo": { name: "walker", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return {
    name: `MCP ${name}`,
    isWriting,
    request: (person, ids) => {
      const params = { name, arguments: argumentsOf(ids, person), _meta };
      return {
        method: "POST",
        target: `/mcp?person=${encodeURIComponent(person)}`,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": protocolVersion,
          "mcp-method": "tools/call",
          "mcp-name": name,
        },
        body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })),
      };
    },
  };
}

const question = [{ role: "user", content: "What did Oskar tell me about the violin?" }];

/** By header, and by the field of the body. A chat by a key that only reads is answered, and not remembered. */
export const proxyDoors: readonly Door[] = [
  ["/v1/chat/completions", { model: "m", messages: question }, (user: string) => ({ user })],
  ["/v1/responses", { model: "m", input: question }, (user: string) => ({ user })],
  [
    "/v1/messages",
    { model: "m", max_tokens: 9, messages: question },
    (user: string) => ({ metadata: { user_id: user } }),
  ],
].flatMap(([path, body, naming]) => {
  const target = path as string;
  const toDoor = (how: string, request: (person: string) => Pick<RawRequest, "headers" | "body">): Door => ({
    name: `proxy ${target} by ${how}`,
    isWriting: false,
    request: (person) => ({ method: "POST", target, ...request(person) }),
  });
  const headers = { "content-type": "application/json" };
  return [
    toDoor("header", (person) => ({
      headers: { ...headers, "mnemosyne-person": Buffer.from(person).toString("latin1") },
      body: Buffer.from(JSON.stringify(body)),
    })),
    toDoor("body", (person) => ({
      headers,
      body: Buffer.from(JSON.stringify({ ...(body as object), ...(naming as (user: string) => object)(person) })),
    })),
  ];
});
