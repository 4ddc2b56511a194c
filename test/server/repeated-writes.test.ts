/**
 * Every write with an Idempotency-Key, sent again to a server that was killed: before it did anything, when it was done and
 * nobody had been told, and after it was answered. Real processes, ended by SIGKILL.
 */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restRoutes } from "../../src/server/rest/routes.js";
import { ScratchFolder } from "../durability/scratch-folder.js";
import { type Asked, Caller, type Reply } from "./rest/http.js";
import { ServedProcess } from "./served-process.mjs";

const script = fileURLToPath(new URL("dying-server.mjs", import.meta.url));
const path = new ScratchFolder().next();
let served: ServedProcess;
let http: Caller;

beforeAll(async () => {
  served = await ServedProcess.start({ path, script });
  http = new Caller(`http://127.0.0.1:${served.port}`);
});
afterAll(() => served.kill());

interface Write {
  readonly operationId: string;
  readonly method: string;
  /** Below the person's address. */
  readonly path: string;
  readonly body?: object;
  readonly raw?: string;
  readonly otherBody?: object | string;
  readonly headers?: (person: string) => Promise<Record<string, string>>;
  /** The memory's method in which the process dies. */
  readonly dies: string;
  readonly prepare?: (person: string) => Promise<unknown>;
  /** What must be so, however often it was sent. */
  readonly isSo: (person: string) => Promise<unknown>;
  readonly expected: unknown;
}

const say = (person: string, id: string, more: object = {}): Promise<Reply> =>
  http.call("POST", `${person}/interactions?wait=true`, {
    body: { id, text: `Marta told me about the ${id}.`, keep: true, ...more },
  });
const items = async (person: string): Promise<{ id: string; outcome: string; turns: { text: string }[] }[]> => {
  const { body } = await http.call("GET", `${person}/history`);
  return body.interactions ?? [];
};
const ids = async (person: string): Promise<string[]> => (await items(person)).map(({ id }) => id);
const texts = async (person: string): Promise<string[]> =>
  (await items(person)).flatMap(({ turns }) => turns.map(({ text }) => text));
const turn = (person: string, text: string): Promise<Reply> =>
  http.call("POST", `${person}/conversations/talk/turns`, { body: { who: "user", text } });

const writes: readonly Write[] = [
  {
    operationId: "commitInteraction",
    method: "POST",
    path: "/interactions",
    body: { text: "I own a kayak." },
    otherBody: { text: "I own two kayaks." },
    dies: "commit",
    isSo: texts,
    expected: ["I own a kayak."],
  },
  {
    operationId: "commitInteractions",
    method: "POST",
    path: "/interactions:batch",
    body: { interactions: [{ text: "I own a kayak." }, { text: "I own a violin." }] },
    otherBody: { interactions: [{ text: "I own nothing." }] },
    dies: "commitMany",
    isSo: texts,
    expected: ["I own a kayak.", "I own a violin."],
  },
  {
    operationId: "restoreInteraction",
    method: "POST",
    path: "/interactions/garden:restore",
    dies: "restore",
    prepare: async (person) => {
      await say(person, "garden", { at: "2025-01-01" });
      await say(person, "choir", { at: "2025-06-01" });
      await http.call("POST", `${person}/prune`, { body: { memoryCountMax: 1 } });
      expect((await items(person)).map(({ outcome }) => outcome)).toContain("pruned");
    },
    isSo: async (person) => (await items(person)).filter(({ outcome }) => outcome === "pruned").length,
    expected: 0,
  },
  {
    operationId: "updateMemory",
    method: "PATCH",
    path: "/memories/garden",
    body: { text: "Marta told me about the bakery." },
    otherBody: { text: "Something else." },
    headers: async (person) => ({
      "if-match": (await http.call("GET", `${person}/memories/garden`)).headers.get("etag")!,
    }),
    dies: "update",
    prepare: (person) => say(person, "garden"),
    isSo: async (person) => (await http.call("GET", `${person}/memories/garden`)).body.versions.length,
    expected: 1,
  },
  {
    operationId: "forgetMemory",
    method: "DELETE",
    path: "/memories/garden",
    dies: "forget",
    prepare: async (person) => {
      await say(person, "garden");
      await say(person, "choir");
    },
    isSo: ids,
    expected: ["choir"],
  },
  {
    operationId: "correctMemory",
    method: "POST",
    path: "/memories/garden:correct",
    body: { text: "It was no garden." },
    otherBody: { text: "It was no lamp." },
    dies: "correct",
    prepare: (person) => say(person, "garden"),
    isSo: async (person) => (await texts(person)).length,
    expected: 2,
  },
  {
    operationId: "pinMemory",
    method: "PUT",
    path: "/memories/garden/pin",
    body: {},
    otherBody: { area: "nowhere" },
    dies: "pin",
    prepare: (person) => say(person, "garden"),
    isSo: async (person) => (await http.call("GET", `${person}/memories/garden`)).body.pinnedArea !== null,
    expected: true,
  },
  {
    operationId: "unpinMemory",
    method: "DELETE",
    path: "/memories/garden/pin",
    dies: "unpin",
    prepare: async (person) => {
      await say(person, "garden");
      await http.call("PUT", `${person}/memories/garden/pin`, { body: {} });
    },
    isSo: async (person) => (await http.call("GET", `${person}/memories/garden`)).body.pinnedArea,
    expected: null,
  },
  {
    operationId: "unlinkMemory",
    method: "DELETE",
    path: "/memories/choir/updates?outdated=garden",
    dies: "unlink",
    prepare: async (person) => {
      await say(person, "garden", { at: "2025-01-01" });
      await say(person, "choir", { at: "2025-02-01", updates: ["garden"] });
    },
    isSo: async (person) => (await http.call("GET", `${person}/memories/choir`)).body.updates,
    expected: [],
  },
  {
    operationId: "forgetMemories",
    method: "POST",
    path: "/memories:forget",
    body: { ids: ["garden", "choir"] },
    otherBody: { ids: ["garden"] },
    dies: "forget",
    prepare: async (person) => {
      for (const id of ["garden", "choir", "violin"]) await say(person, id);
    },
    isSo: ids,
    expected: ["violin"],
  },
  {
    operationId: "addTurn",
    method: "POST",
    path: "/conversations/talk/turns",
    body: { who: "user", text: "Yes." },
    otherBody: { who: "user", text: "No." },
    dies: "add",
    prepare: (person) => turn(person, "Yes."),
    isSo: texts,
    expected: ["Yes.", "Yes."],
  },
  {
    operationId: "closeConversation",
    method: "POST",
    path: "/conversations/talk:close",
    dies: "end",
    prepare: (person) => turn(person, "I own a kayak."),
    isSo: async (person) => (await items(person)).filter(({ outcome }) => outcome === "open").length,
    expected: 0,
  },
  {
    operationId: "forgetPerson",
    method: "DELETE",
    path: "",
    dies: "forgetAll",
    prepare: (person) => say(person, "garden"),
    isSo: ids,
    expected: [],
  },
  {
    operationId: "prune",
    method: "POST",
    path: "/prune",
    body: { memoryCountMax: 1 },
    otherBody: { memoryCountMax: 2 },
    dies: "prune",
    prepare: async (person) => {
      for (const id of ["garden", "choir", "violin"]) await say(person, id);
    },
    isSo: async (person) => (await items(person)).filter(({ outcome }) => outcome === "pruned").length,
    expected: 2,
  },
  {
    operationId: "importPerson",
    method: "POST",
    path: "/import",
    raw: `${JSON.stringify({ id: "one", turns: [{ who: "user", text: "I own a kayak." }] })}\n`,
    otherBody: `${JSON.stringify({ id: "two", turns: [{ who: "user", text: "I own a violin." }] })}\n`,
    dies: "import",
    isSo: texts,
    expected: ["I own a kayak."],
  },
];

/** A write that is not in the list fails here. */
it("are all that there are", () => {
  const known = restRoutes.filter(({ need }) => need === "write").map(({ operationId }) => operationId);
  expect(writes.map(({ operationId }) => operationId).toSorted()).toEqual(known.toSorted());
});

async function prepared(write: Write, name: string): Promise<{ person: string; send: () => Promise<Reply> }> {
  const person = `/v1/persons/${name}`;
  await write.prepare?.(person);
  const own = (await write.headers?.(person)) ?? {};
  const headers = { "idempotency-key": `key of ${name}`, ...own };
  const said = write.raw === undefined ? { body: write.body } : { raw: write.raw };
  return { person, send: () => http.call(write.method, `${person}${write.path}`, { ...said, headers }) };
}

async function restart(): Promise<void> {
  await served.kill();
  await served.restart();
}

describe.each(writes)("$operationId", (write) => {
  it("answers the same after a restart, and refuses another body", async () => {
    const name = `${write.operationId}-answered`;
    const { person, send } = await prepared(write, name);
    const first = await send();
    expect(first.status).toBeLessThan(300);
    const isSo = await write.isSo(person);
    await restart();
    const second = await send();
    expect({ status: second.status, text: second.text }).toEqual({ status: first.status, text: first.text });
    expect(await write.isSo(person)).toEqual(isSo);
    expect(isSo).toEqual(write.expected);
    if (write.otherBody === undefined) return;
    const { otherBody } = write;
    const other = typeof otherBody === "string" ? { raw: otherBody } : { body: otherBody };
    await http.refused(422, "idempotency_key_reused", write.method, `${person}${write.path}`, {
      ...other,
      headers: { "idempotency-key": `key of ${name}` },
    });
  });

  it.each(["before", "after"])("is done once by a server that died %s it", async (moment) => {
    const { person, send } = await prepared(write, `${write.operationId}-${moment}`);
    writeFileSync(`${path}.die`, `${moment} ${write.dies}`);
    await expect(send()).rejects.toThrow();
    await restart();
    const second = await send();
    expect({ status: second.status, text: second.text }).toMatchObject({
      status: expect.toSatisfy((s: number) => s < 300),
    });
    expect(await write.isSo(person)).toEqual(write.expected);
    expect((await send()).text).toBe(second.text);
    expect(await write.isSo(person)).toEqual(write.expected);
  });
});

describe("what came after a forgetting that was not answered", () => {
  const cases = [
    { method: "DELETE", path: "", dies: "forgetAll" },
    { method: "DELETE", path: "/memories/garden", dies: "forget" },
    { method: "POST", path: "/memories:forget", body: { filter: { place: "home" } }, dies: "forget" },
  ];
  it.each(cases)("is not forgotten by its repetition: $method $path", async ({ method, path: below, body, dies }) => {
    const person = `/v1/persons/later-${dies}-${method}-${below.length}`;
    await say(person, "garden", { metadata: { place: "home" } });
    const send = (): Promise<Reply> =>
      http.call(method, `${person}${below}`, { body, headers: { "idempotency-key": "once" } });
    writeFileSync(`${path}.die`, `after ${dies}`);
    await expect(send()).rejects.toThrow();
    await restart();
    await say(person, "garden", { metadata: { place: "home" } });
    expect((await send()).status).toBe(200);
    expect(await ids(person)).toEqual(["garden"]);
  });
});

describe("an edit that was not answered, where somebody else edits it before it is sent again", () => {
  /** Dies at that moment of an edit with If-Match; then another edit comes. */
  async function editTwice(person: string, moment: string): Promise<{ path: string; asked: Asked }> {
    await say(person, "garden");
    const memory = `${person}/memories/garden`;
    const etag = (await http.call("GET", memory)).headers.get("etag")!;
    const asked = { body: { text: "I own a kayak." }, headers: { "idempotency-key": "once", "if-match": etag } };
    writeFileSync(`${path}.die`, `${moment} update`);
    await expect(http.call("PATCH", memory, asked)).rejects.toThrow();
    await restart();
    await http.call("PATCH", memory, { body: { text: "I own a violin." } });
    return { path: memory, asked };
  }

  it("is neither done again nor refused if it was done", async () => {
    const { path: memory, asked } = await editTwice("/v1/persons/edited-since", "after");
    expect((await http.call("PATCH", memory, asked)).status).toBe(200);
    expect(await texts("/v1/persons/edited-since")).toEqual(["I own a violin."]);
  });

  it("is refused if it was not", async () => {
    const { path: memory, asked } = await editTwice("/v1/persons/edited-by-another", "before");
    await http.refused(412, "edit_conflict", "PATCH", memory, asked);
    expect(await texts("/v1/persons/edited-by-another")).toEqual(["I own a violin."]);
  });
});

it("nothing of what was said, of whom and under which name is in the files", () => {
  const folder = `${path}.answers`;
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  const all = files.join("");
  expect(all.length).toBeGreaterThan(1_000);
  for (const word of ["kayak", "garden", "violin", "key of", "answered", "once", "persons"])
    expect(all).not.toContain(word);
});
