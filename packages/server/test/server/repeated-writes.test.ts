/**
 * Every write with an Idempotency-Key, sent again to a server that was killed: before it did anything, when it was done and
 * nobody had been told, and after it was answered. Real processes, ended by SIGKILL.
 */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restRoutes } from "../../src/server/rest/routes.js";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { type Asked, Caller, type Reply } from "./rest/http.js";
import { ServedProcess } from "./served-process.mjs";
import { Told, prepareWrite, writes } from "./writes.js";

const script = fileURLToPath(new URL("dying-server.mjs", import.meta.url));
const path = new ScratchFolder().next();
let served: ServedProcess;
let http: Caller;

beforeAll(async () => {
  served = await ServedProcess.start({ path, script });
  http = new Caller(`http://127.0.0.1:${served.port}`);
});
afterAll(() => served.kill());

async function restart(): Promise<void> {
  await served.kill();
  await served.restart();
}

/** Sends what the server dies of, at that moment, and starts it again. */
async function dieOf(moment: string, send: () => Promise<Reply>): Promise<void> {
  writeFileSync(`${path}.die`, moment);
  await expect(send()).rejects.toThrow();
  await restart();
}

/** A write that is not in the list fails here. */
it("are all that there are", () => {
  const known = restRoutes.filter(({ need }) => need === "write").map(({ operationId }) => operationId);
  expect(writes.map(({ operationId }) => operationId).toSorted()).toEqual(known.toSorted());
});

describe.each(writes)("$operationId", (write) => {
  it("answers the same after a restart, and refuses another body", async () => {
    const told = new Told(http, `${write.operationId}-answered`);
    const send = await prepareWrite(write, told);
    const first = await send(http);
    expect(first.status).toBeLessThan(300);
    expect(await write.isSo(told)).toEqual(write.expected);
    await restart();
    const second = await send(http);
    expect({ status: second.status, text: second.text }).toEqual({ status: first.status, text: first.text });
    expect(await write.isSo(told)).toEqual(write.expected);
    if (write.otherBody === undefined) return;
    const { otherBody } = write;
    const other = typeof otherBody === "string" ? { raw: otherBody } : { body: otherBody };
    await http.refused(422, "idempotency_key_reused", write.method, `${told.address}${write.path}`, {
      ...other,
      headers: { "idempotency-key": `key of ${told.address}` },
    });
  });

  it.each(["before", "after"])("is done once by a server that died %s it", async (moment) => {
    const told = new Told(http, `${write.operationId}-${moment}`);
    const send = await prepareWrite(write, told);
    await dieOf(`${moment} ${write.dies}`, () => send(http));
    const second = await send(http);
    expect({ status: second.status, text: second.text }).toMatchObject({
      status: expect.toSatisfy((s: number) => s < 300),
    });
    expect(await write.isSo(told)).toEqual(write.expected);
    expect((await send(http)).text).toBe(second.text);
    expect(await write.isSo(told)).toEqual(write.expected);
  });
});

describe("what came after a forgetting that was not answered", () => {
  const home = { metadata: { place: "home" } };
  const cases = [
    { method: "DELETE", path: "", dies: "forgetAll" },
    { method: "DELETE", path: "/memories/garden", dies: "forget" },
    { method: "POST", path: "/memories:forget", body: { filter: { place: "home" } }, dies: "forget" },
  ];
  it.each(cases)("is not forgotten by its repetition: $method $path", async ({ method, path: below, body, dies }) => {
    const told = new Told(http, `later-${dies}-${method}-${below.length}`);
    await told.say("garden", home);
    const send = (): Promise<Reply> => told.call(method, below, { body, headers: { "idempotency-key": "once" } });
    await dieOf(`after ${dies}`, send);
    await told.say("garden", home);
    expect((await send()).status).toBe(200);
    expect(await told.ids()).toEqual(["garden"]);
  });
});

describe("an edit that was not answered, where somebody else edits it before it is sent again", () => {
  /** Dies at that moment of an edit with If-Match; then another edit comes. */
  async function editTwice(told: Told, moment: string): Promise<Asked> {
    await told.say("garden");
    const etag = (await told.call("GET", "/memories/garden")).headers.get("etag")!;
    const asked = { body: { text: "I own a kayak." }, headers: { "idempotency-key": "once", "if-match": etag } };
    await dieOf(`${moment} update`, () => told.call("PATCH", "/memories/garden", asked));
    await told.call("PATCH", "/memories/garden", { body: { text: "I own a violin." } });
    return asked;
  }

  it("is neither done again nor refused if it was done", async () => {
    const told = new Told(http, "edited-since");
    const asked = await editTwice(told, "after");
    expect((await told.call("PATCH", "/memories/garden", asked)).status).toBe(200);
    expect(await told.texts()).toEqual(["I own a violin."]);
  });

  it("is refused if it was not", async () => {
    const told = new Told(http, "edited-by-another");
    const asked = await editTwice(told, "before");
    await http.refused(412, "edit_conflict", "PATCH", `${told.address}/memories/garden`, asked);
    expect(await told.texts()).toEqual(["I own a violin."]);
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
