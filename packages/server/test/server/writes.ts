/** Every write there is, as a request that may be sent again, and what must be so afterwards, however often it was sent. */
import { expect } from "vitest";
import type { Asked, Caller, Reply } from "./rest/http.js";

/** What one person is told by, and looked at. */
export class Told {
  readonly #http: Caller;
  readonly address: string;

  constructor(http: Caller, name: string) {
    this.#http = http;
    this.address = `/v1/persons/${name}`;
  }

  /** Below the person's address. */
  // eslint-disable-next-line typescript/no-explicit-any -- a test says what it expects by reading it
  call<Body = any>(method: string, path: string, asked?: Asked): Promise<Reply<Body>> {
    return this.#http.call<Body>(method, `${this.address}${path}`, asked);
  }

  say(id: string, more: object = {}): Promise<Reply> {
    const body = { id, text: `Marta told me about the ${id}.`, keep: true, ...more };
    return this.call("POST", "/interactions?wait=true", { body });
  }

  turn(text: string): Promise<Reply> {
    return this.call("POST", "/conversations/talk/turns", { body: { who: "user", text } });
  }

  async items(): Promise<{ id: string; outcome: string; turns: { text: string }[] }[]> {
    return (await this.call("GET", "/history")).body.interactions ?? [];
  }

  async ids(): Promise<string[]> {
    return (await this.items()).map(({ id }) => id);
  }

  async texts(): Promise<string[]> {
    return (await this.items()).flatMap(({ turns }) => turns.map(({ text }) => text));
  }
}

export interface Write {
  readonly operationId: string;
  readonly method: string;
  /** Below the person's address. */
  readonly path: string;
  readonly body?: object;
  readonly raw?: string;
  readonly otherBody?: object | string;
  readonly headers?: (told: Told) => Promise<Record<string, string>>;
  /** The memory's method in which the process dies. */
  readonly dies: string;
  readonly prepare?: (told: Told) => Promise<unknown>;
  /** What must be so, however often it was sent. */
  readonly isSo: (told: Told) => Promise<unknown>;
  readonly expected: unknown;
}

/** Everything before the write, and the write itself, as often as it is called: to whoever serves. */
export async function prepareWrite(write: Write, told: Told): Promise<(http: Caller) => Promise<Reply>> {
  await write.prepare?.(told);
  const own = (await write.headers?.(told)) ?? {};
  const said = write.raw === undefined ? { body: write.body } : { raw: write.raw };
  const headers = { "idempotency-key": `key of ${told.address}`, ...own };
  return (http) => http.call(write.method, `${told.address}${write.path}`, { ...said, headers });
}

export const writes: readonly Write[] = [
  {
    operationId: "commitInteraction",
    method: "POST",
    path: "/interactions",
    body: { text: "I own a kayak." },
    otherBody: { text: "I own two kayaks." },
    dies: "commit",
    isSo: (told) => told.texts(),
    expected: ["I own a kayak."],
  },
  {
    operationId: "commitInteractions",
    method: "POST",
    path: "/interactions:batch",
    body: { interactions: [{ text: "I own a kayak." }, { text: "I own a violin." }] },
    otherBody: { interactions: [{ text: "I own nothing." }] },
    dies: "commitMany",
    isSo: (told) => told.texts(),
    expected: ["I own a kayak.", "I own a violin."],
  },
  {
    operationId: "restoreInteraction",
    method: "POST",
    path: "/interactions/garden:restore",
    dies: "restore",
    prepare: async (told) => {
      await told.say("garden", { at: "2025-01-01" });
      await told.say("choir", { at: "2025-06-01" });
      await told.call("POST", "/prune", { body: { memoryCountMax: 1 } });
      expect((await told.items()).map(({ outcome }) => outcome)).toContain("pruned");
    },
    isSo: async (told) => (await told.items()).filter(({ outcome }) => outcome === "pruned").length,
    expected: 0,
  },
  {
    operationId: "updateMemory",
    method: "PATCH",
    path: "/memories/garden",
    body: { text: "Marta told me about the bakery." },
    otherBody: { text: "Something else." },
    headers: async (told) => ({
      "if-match": (await told.call("GET", "/memories/garden")).headers.get("etag")!,
    }),
    dies: "update",
    prepare: (told) => told.say("garden"),
    isSo: async (told) => (await told.call("GET", "/memories/garden")).body.versions.length,
    expected: 1,
  },
  {
    operationId: "forgetMemory",
    method: "DELETE",
    path: "/memories/garden",
    dies: "forget",
    prepare: async (told) => {
      await told.say("garden");
      await told.say("choir");
    },
    isSo: (told) => told.ids(),
    expected: ["choir"],
  },
  {
    operationId: "correctMemory",
    method: "POST",
    path: "/memories/garden:correct",
    body: { text: "It was no garden." },
    otherBody: { text: "It was no lamp." },
    dies: "correct",
    prepare: (told) => told.say("garden"),
    isSo: async (told) => (await told.texts()).length,
    expected: 2,
  },
  {
    operationId: "pinMemory",
    method: "PUT",
    path: "/memories/garden/pin",
    body: {},
    otherBody: { area: "nowhere" },
    dies: "pin",
    prepare: (told) => told.say("garden"),
    isSo: async (told) => (await told.call("GET", "/memories/garden")).body.pinnedArea !== null,
    expected: true,
  },
  {
    operationId: "unpinMemory",
    method: "DELETE",
    path: "/memories/garden/pin",
    dies: "unpin",
    prepare: async (told) => {
      await told.say("garden");
      await told.call("PUT", "/memories/garden/pin", { body: {} });
    },
    isSo: async (told) => (await told.call("GET", "/memories/garden")).body.pinnedArea,
    expected: null,
  },
  {
    operationId: "unlinkMemory",
    method: "DELETE",
    path: "/memories/choir/updates?outdated=garden",
    dies: "unlink",
    prepare: async (told) => {
      await told.say("garden", { at: "2025-01-01" });
      await told.say("choir", { at: "2025-02-01", updates: ["garden"] });
    },
    isSo: async (told) => (await told.call("GET", "/memories/choir")).body.updates,
    expected: [],
  },
  {
    operationId: "forgetMemories",
    method: "POST",
    path: "/memories:forget",
    body: { ids: ["garden", "choir"] },
    otherBody: { ids: ["garden"] },
    dies: "forget",
    prepare: async (told) => {
      for (const id of ["garden", "choir", "violin"]) await told.say(id);
    },
    isSo: (told) => told.ids(),
    expected: ["violin"],
  },
  {
    operationId: "addTurn",
    method: "POST",
    path: "/conversations/talk/turns",
    body: { who: "user", text: "Yes." },
    otherBody: { who: "user", text: "No." },
    dies: "add",
    prepare: (told) => told.turn("Yes."),
    isSo: (told) => told.texts(),
    expected: ["Yes.", "Yes."],
  },
  {
    operationId: "closeConversation",
    method: "POST",
    path: "/conversations/talk:close",
    dies: "end",
    prepare: (told) => told.turn("I own a kayak."),
    isSo: async (told) => (await told.items()).filter(({ outcome }) => outcome === "open").length,
    expected: 0,
  },
  {
    operationId: "forgetPerson",
    method: "DELETE",
    path: "",
    dies: "forgetAll",
    prepare: (told) => told.say("garden"),
    isSo: (told) => told.ids(),
    expected: [],
  },
  {
    operationId: "prune",
    method: "POST",
    path: "/prune",
    body: { memoryCountMax: 1 },
    otherBody: { memoryCountMax: 2 },
    dies: "prune",
    prepare: async (told) => {
      for (const id of ["garden", "choir", "violin"]) await told.say(id);
    },
    isSo: async (told) => (await told.items()).filter(({ outcome }) => outcome === "pruned").length,
    expected: 2,
  },
  {
    operationId: "importPerson",
    method: "POST",
    path: "/import",
    raw: `${JSON.stringify({ id: "one", turns: [{ who: "user", text: "I own a kayak." }] })}\n`,
    otherBody: `${JSON.stringify({ id: "two", turns: [{ who: "user", text: "I own a violin." }] })}\n`,
    dies: "import",
    isSo: (told) => told.texts(),
    expected: ["I own a kayak."],
  },
];
