/** An endpoint with every fault there is, behind a memory: nothing is lost, and the trace names the step and the reason. */
import type { CommitTrace, CoreSummaryTrace, PersonMemory } from "mnemosyne-edge";
import { OpenAiLanguageModel, type OpenAiLanguageModelOptions } from "mnemosyne-edge/language-model/openai";
import { expect, it, onTestFinished } from "vitest";
import { openMemories } from "../durability/opened-memories.js";
import { answerWell } from "../engine/scripted-model.js";
import {
  type ChatRequest,
  type ScriptedEndpoint,
  type ScriptedReply,
  saying,
  startEndpoint,
} from "./scripted-endpoint.js";

type Script = (request: ChatRequest, index: number) => ScriptedReply;

const parameters = {
  modelRestSeconds: 0,
  substanceThreshold: -10,
  redundancyThreshold: 10,
  coreSummaryIntervalCommits: 1000,
};
const ids = ["a", "b", "c"];

/** A good reply to whatever was asked. */
function wellSaid({ response_format }: ChatRequest): ScriptedReply {
  const { schema } = response_format!.json_schema!;
  return saying(answerWell({ instruction: "", text: "", schema: schema as unknown as Record<string, unknown> }));
}

async function commitThrough(
  script: Script,
  options: Partial<OpenAiLanguageModelOptions> = {},
  more: Partial<Record<string, number>> = {},
): Promise<{ person: PersonMemory; endpoint: ScriptedEndpoint }> {
  const endpoint = await startEndpoint(script);
  onTestFinished(() => endpoint.close());
  const languageModel = new OpenAiLanguageModel({
    baseUrl: endpoint.baseUrl,
    model: "m",
    retryCountMax: 0,
    ...options,
  });
  const memories = await openMemories({ path: ":memory:", languageModel, parameters: { ...parameters, ...more } });
  const person = memories.person("ada");
  for (const id of ids) {
    await person.commit({ id, turns: [{ who: "Ada", text: `Penicillin gave me a rash when I was seven (${id}).` }] });
  }
  await person.settled();
  return { person, endpoint };
}

/** Everything that was submitted is a memory, once, in the words that were submitted. */
async function expectAllKept(person: PersonMemory): Promise<CommitTrace[]> {
  const history = await person.history();
  expect(history.map(({ id, outcome }) => [id, outcome])).toEqual(ids.map((id) => [id, "committed"]));
  expect(history.map(({ turns }) => turns[0]!.text)).toEqual(ids.map((id) => expect.stringContaining(`(${id})`)));
  expect((await person.list()).map(({ id }) => id)).toEqual(ids);
  expect(await person.check()).toEqual([]);
  return history.map(({ trace }) => trace as CommitTrace);
}

const half = JSON.stringify({ choices: [{ message: { content: '{"summary": "Penicillin' } }] }).slice(0, -10);

it.each<[string, ScriptedReply, RegExp]>([
  ["fails", { status: 500, body: "out of memory" }, /answered 500: "out of memory"/u],
  ["is overloaded", { status: 429, body: "slow down" }, /answered 429: "slow down"/u],
  ["is gone", "reset", /cannot be reached/u],
  [
    "is cut off",
    { pieces: [half], breaksOff: true, headers: { "content-type": "application/json" } },
    /cannot be reached/u,
  ],
  ["is cut off without an error", { status: 200, body: half }, /its answer is not JSON/u],
  ["answers with garbage", { status: 200, body: "<html>502</html>" }, /its answer is not JSON but "<html>/u],
  ["says nothing", saying(""), /its answer contains no text/u],
  ["keeps to no schema", saying({ answer: 42 }), /^"(?:summary|substantial)" is /u],
  ["speaks prose", saying("Certainly! She has a rash."), /there is no JSON object in the reply/u],
])("a server that %s", async (_, reply, failure) => {
  const { person } = await commitThrough(() => reply);
  for (const { languageModel, summarySource } of await expectAllKept(person)) {
    const without = (step: string): object => ({ step, how: "without model", failure: expect.stringMatching(failure) });
    expect(languageModel!.steps).toMatchObject([without("interaction summary"), without("commitment")]);
    expect(languageModel!.name).toBe("openai:m");
    expect(summarySource).not.toBe("language model");
  }
  const { languageModel } = (await person.coreSummary({ update: true })).trace as CoreSummaryTrace;
  expect(languageModel).toMatchObject({ steps: [{ step: "core summary", how: "without model" }] });
});

it("a server that is slower than the time budget is not waited for, and told to stop", async () => {
  const slow: Script = (request) => ({ ...(wellSaid(request) as { status: number; body: string }), afterMs: 60_000 });
  const { person, endpoint } = await commitThrough(slow, {}, { modelTimeBudgetSeconds: 0.05 });
  for (const { languageModel } of await expectAllKept(person)) {
    const failures = languageModel!.steps.map(({ failure }) => failure);
    expect(failures).toEqual(["no reply within 0.05 s", "no reply within 0.05 s"]);
  }
  expect(endpoint.requests.length).toBeGreaterThan(0);
  while (endpoint.hungUpCount() < endpoint.requests.length) await new Promise((resolve) => setTimeout(resolve, 5));
});

it("a server that is busy and says when to come back, then answers", async () => {
  const busy = { status: 429, body: "", headers: { "retry-after": "0" } };
  const script: Script = (request, index) => (index % 2 === 0 ? busy : wellSaid(request));
  const { person } = await commitThrough(script, { retryCountMax: 1 });
  for (const { languageModel, summarySource } of await expectAllKept(person)) {
    expect(languageModel!.steps.map(({ how }) => how)).toEqual(["as asked", "as asked"]);
    expect(summarySource).toBe("language model");
  }
});

it("a server that is down and comes back: what was committed meanwhile is refined", async () => {
  let isUp = false;
  const { person } = await commitThrough((request) => (isUp ? wellSaid(request) : { status: 503, body: "loading" }));
  await expectAllKept(person);
  isUp = true;
  expect(await person.refine()).toEqual({ refinedCount: 3, failedIds: [], leftCount: 0, gaveUpBecause: null });
  for (const { languageModel } of await expectAllKept(person)) {
    expect(languageModel!.steps.map(({ how }) => how)).toEqual(["as asked", "as asked"]);
  }
});
