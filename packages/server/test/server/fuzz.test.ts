/**
 * Thousands of requests made from the OpenAPI document that the server serves, half of them broken. None may be answered
 * with 5xx or not at all; every refusal is a problem document, and every success is as the document says.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { judgeAnswer, learn } from "./fuzz-answers.js";
import { Draw } from "./fuzz-draw.js";
import { type MadeRequest, type OpenApi, RequestMaker } from "./fuzz-requests.js";
import type { KnownPerson } from "./fuzz-values.js";
import { type ProofServer, proofSettings, startProofServer } from "./proof-server.js";
import { type RawAnswer, sendRaw } from "./exact-client.js";

const seeds = ["1", "2", "3", "4", "5"];
const requestCountPerSeed = 1_000;
const brokenShare = 0.5;
/** Of the requests that are not broken; the others name what an earlier one forgot, or are in conflict with one. */
const successShareMin = 0.75;
const successShareMinOfOperation = 0.1;
const refusalShareMin = 0.6;
const names = ["ada", "Zoë", "李 娜", "team/a?b#c", "__proto__", "50%"];

interface Tally {
  sentCount: number;
  successCount: number;
  brokenCount: number;
  refusedCount: number;
}

const scratch = new ScratchFolder();
let server: ProofServer;
let document: OpenApi;
const tallies = new Map<string, Tally>();

beforeAll(async () => {
  const limits = { ...proofSettings.limits, bodyBytesMax: 256 * 2 ** 10 };
  server = await startProofServer({ memory: { path: scratch.next() }, settings: { limits } });
  document = (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApi;
});

describe("requests made from the OpenAPI document", () => {
  it.each(seeds)("seed %s", async (seed) => {
    const draw = new Draw(`fuzz ${seed}`);
    const persons = names.map((name) => unknownPerson(`${name} ${seed}`));
    for (const person of persons) await fill(person);
    const maker = new RequestMaker(document, persons, draw);
    const faults: string[] = [];
    for (let i = 0; i < requestCountPerSeed; i++) {
      const made = maker.next(draw.isLikely(brokenShare));
      const answer = await send(made);
      faults.push(...judgeAnswer(document, made.request, answer).map((fault) => describeFault(i, made, fault)));
      if (made.faults.length === 0) learn(made, answer);
      if (made.person.ids.size === 0) await fill(made.person);
      count(made, answer);
    }
    expect(faults).toEqual([]);
    expect(server.logged.filter((line) => line.startsWith("error"))).toEqual([]);
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
  });

  it("were many, and each operation succeeded and refused", () => {
    const sum = (of: keyof Tally): number => [...tallies.values()].reduce((total, tally) => total + tally[of], 0);
    expect(sum("sentCount")).toBe(seeds.length * requestCountPerSeed);
    expect(tallies.size).toBe(Object.values(document.paths).flatMap((item) => Object.keys(item)).length);
    expect(sum("successCount") / (sum("sentCount") - sum("brokenCount"))).toBeGreaterThan(successShareMin);
    expect(sum("refusedCount") / sum("brokenCount")).toBeGreaterThan(refusalShareMin);
    const rarely = [...tallies].filter(([, { sentCount, brokenCount, successCount, refusedCount }]) => {
      const successShare = successCount / (sentCount - brokenCount);
      return successShare < successShareMinOfOperation || refusedCount === 0;
    });
    expect(rarely).toEqual([]);
  });
});

function unknownPerson(name: string): KnownPerson {
  return {
    name,
    ids: new Set(),
    pruned: new Set(),
    pinned: new Set(),
    links: [],
    conversations: new Set(),
    cursors: new Map(),
    tags: new Map(),
  };
}

/** Something to look at, change and forget; later ones make earlier ones outdated, and some are pruned. */
async function fill(person: KnownPerson): Promise<void> {
  const memory = server.mnemosyne.person(person.name);
  for (let i = 0; i < 16; i++) {
    const updates = i % 4 === 3 ? [`first ${i - 1}`] : [];
    const said = `Ines wrote down that the choir of ${i} sings for the ${i * 7} people of the bakery.`;
    const input = { id: `first ${i}`, summary: said, at: `2025-06-${10 + i}`, keep: true };
    await memory.commit(updates.length === 0 ? input : { ...input, updates }, { wait: true });
    person.ids.add(input.id);
    for (const earlier of updates) person.links.push([input.id, earlier]);
  }
  const { pruned } = await memory.prune({ memoryCountMax: 13 });
  for (const { id } of pruned) {
    person.ids.delete(id);
    person.pruned.add(id);
  }
}

function send({ request, operation }: MadeRequest): Promise<RawAnswer> {
  const isStream = operation.operationId === "streamEvents";
  return sendRaw(server.url, request, isStream ? { isEnough: (body) => body.length > 0 } : {});
}

function count({ operation, faults }: MadeRequest, { status }: RawAnswer): void {
  const none: Tally = { sentCount: 0, successCount: 0, brokenCount: 0, refusedCount: 0 };
  const tally = tallies.get(operation.operationId) ?? none;
  const isBroken = faults.length > 0;
  tally.sentCount++;
  if (isBroken) tally.brokenCount++;
  if (!isBroken && status < 400) tally.successCount++;
  if (isBroken && status >= 400) tally.refusedCount++;
  tallies.set(operation.operationId, tally);
}

function describeFault(i: number, { request, operation, faults }: MadeRequest, fault: string): string {
  const body = request.body?.toString().slice(0, 300) ?? "";
  const headers = JSON.stringify(request.headers).slice(0, 300);
  return `${i} ${operation.operationId} (${faults.join()}): ${fault}\n${request.method} ${request.target.slice(0, 300)}\n${headers}\n${body}`;
}

/** Requests that were answered wrongly once. */
describe("found by fuzzing", () => {
  const headers = { "content-type": "application/json" };

  it("a recall may have a seed that is a text", async () => {
    const body = Buffer.from(JSON.stringify({ query: "Who sings?", seed: "again" }));
    const request = { method: "POST", target: "/v1/persons/somebody/recall", headers, body };
    const answer = await sendRaw(server.url, request);
    expect(answer.status).toBe(200);
    expect(judgeAnswer(document, request, answer)).toEqual([]);
  });

  it("an expectation that is not known is refused with a problem document", async () => {
    const request = { method: "GET", target: "/health", headers: { expect: "something" } };
    const answer = await sendRaw(server.url, request);
    expect(answer.status).toBe(417);
    expect(judgeAnswer(document, request, answer)).toEqual([]);
  });

  it.each(["gzip", "identity", "gzip, chunked", "chunked, gzip"])(
    "what is refused for its Transfer-Encoding (%s) is not done",
    async (coding) => {
      const memory = server.mnemosyne.person("kept");
      await memory.commit({ id: "kept", summary: "Oskar keeps bees." }, { wait: true });
      const request = { method: "DELETE", target: "/v1/persons/kept", headers: { "transfer-encoding": coding } };
      const answer = await sendRaw(server.url, request);
      expect(answer.status).toBe(400);
      expect(judgeAnswer(document, request, answer)).toEqual([]);
      expect((await memory.history()).map(({ id }) => id)).toEqual(["kept"]);
    },
  );

  it("a caller that is gone before the answer is no error of the server's, and is counted to its end", async () => {
    const running = async (): Promise<string> => {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      return /^mnemosyne_requests_running (\d+)$/mu.exec(text)![1]!;
    };
    const before = server.logged.length;
    for (let i = 0; i < 20; i++) {
      const abort = AbortSignal.timeout(1 + (i % 4));
      const body = JSON.stringify({ query: `Who sings in the choir of ${i}?`, trace: true });
      await fetch(`${server.url}/v1/persons/ada%201/recall`, { method: "POST", headers, body, signal: abort }).catch(
        () => {},
      );
    }
    await expect.poll(running).toBe("1");
    expect(server.logged.slice(before).filter((line) => line.startsWith("error"))).toEqual([]);
  });
});
