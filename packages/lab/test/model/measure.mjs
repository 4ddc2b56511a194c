/**
 * The steps of the memory with a real but very small language model, in this process and behind an endpoint. Fails if an
 * interaction is lost, changed or stored twice, or if a reply does not follow its schema. Prints the measurements and writes
 * them into docs/language-models.md.
 */
import { GgufLanguageModel } from "mnemosyne-edge/language-model/gguf";
import { OpenAiLanguageModel } from "mnemosyne-edge/language-model/openai";
import { profiles } from "mnemosyne-edge";
import { readReply } from "../../../memory/dist/engine/language-model/model-reply.js";
import { describeRun } from "../../bench/harness.mjs";
import { serveModel } from "./http-server.mjs";
import { interactions, liveThroughJourney, openJourney } from "./journey.mjs";
import { makeSection, updatePage } from "./page.mjs";
import { RecordingModel } from "./recording-model.mjs";
import { findReplyFault, findSchemaFault } from "./schema-check.mjs";
import { prepareTinyLlama } from "./tiny-llama.mjs";

const maxTokens = 256;
/** One, so that its processor time is what it would take alone; several threads wait for each other by spinning. */
const threads = 1;
/** Requests that are also sent without a grammar. */
const freeCount = 6;
const { prompts } = profiles.healthcare;
const write = (text) => process.stdout.write(text);

async function main() {
  const about = { ...describeRun(), maxTokens, threads };
  const startMs = performance.now();
  const { path, byteCount, versions, importLlama } = await prepareTinyLlama(write);
  const model = new GgufLanguageModel({ path, importLlama, maxTokens, threads, gpu: false });
  try {
    const loadSeconds = await timeSeconds(() => model.load());
    const recorded = new RecordingModel(model, prompts, write);
    const journey = await liveThroughJourney(recorded, write);
    const free = await askWithoutGrammar(model, recorded.calls);
    const endpoint = await useEndpoint(model);
    const chat = await talk(model);
    const seconds = (performance.now() - startMs) / 1000;
    const results = {
      about: { ...about, seconds },
      byteCount,
      versions,
      loadSeconds,
      recorded,
      journey,
      free,
      endpoint,
      chat,
    };
    report(results);
  } finally {
    await model.close();
  }
}

/** The same requests with nothing that holds the model to the schema: what repair has to handle elsewhere. */
async function askWithoutGrammar(model, calls) {
  const results = [];
  const chosen = calls.filter(({ step }) => step === "interaction summary" || step === "commitment");
  for (const { request } of chosen.slice(0, freeCount)) {
    write(`without a grammar, ${results.length + 1} of ${freeCount} …\n`);
    const { instruction, text, schema } = request;
    const reply = await model.reply([
      { role: "system", text: instruction },
      { role: "user", text },
    ]);
    results.push({ isValid: findReplyFault(reply, schema) === null, isValidRepaired: isValidRepaired(reply, schema) });
  }
  return results;
}

function isValidRepaired(reply, schema) {
  try {
    readReply(reply, (object) => {
      const fault = findSchemaFault(object, schema);
      if (fault !== null) throw new Error(fault);
    });
    return true;
  } catch {
    return false;
  }
}

/** One commit through the endpoint adapter, against a real server with the same model. */
async function useEndpoint(model) {
  write("one commit through an endpoint …\n");
  const server = await serveModel(model);
  const remote = new OpenAiLanguageModel({ baseUrl: server.baseUrl, model: "tinyllama", timeoutMs: 1_800_000 });
  const recorded = new RecordingModel(remote, prompts, write);
  const mnemosyne = await openJourney(recorded);
  try {
    const person = mnemosyne.person("endpoint");
    const { id, at, turns } = interactions[0];
    await person.commit({ id, at, turns });
    await person.settled();
    const [item, ...others] = await person.history();
    const faults =
      others.length > 0 || item?.id !== id ? ["the endpoint's interaction is not in the history once"] : [];
    const { text, pieceCount } = await talk(remote);
    return {
      faults,
      calls: recorded.calls,
      steps: item.trace.languageModel.steps,
      chatLength: text.length,
      pieceCount,
    };
  } finally {
    await mnemosyne.close();
    await server.close();
  }
}

async function talk(model) {
  let pieceCount = 0;
  let text = "";
  const messages = [
    { role: "system", text: "You are a kind assistant. You answer in one short sentence. The person is called Ada." },
    { role: "user", text: "Good morning! What is my name?" },
  ];
  const seconds = await timeSeconds(async () => {
    text = await model.reply(messages, () => pieceCount++);
  });
  return { text, pieceCount, seconds };
}

async function timeSeconds(work) {
  const startMs = performance.now();
  await work();
  return (performance.now() - startMs) / 1000;
}

function report(results) {
  const { recorded, journey, endpoint } = results;
  const section = makeSection(results);
  write(`\n${section}\n\n`);
  for (const { step, reply } of recorded.calls) write(`${step}: ${reply.replaceAll(/\s+/gu, " ")}\n`);
  const invalid = [...recorded.calls, ...endpoint.calls].filter(({ fault }) => fault !== null);
  const faults = [...journey.faults, ...endpoint.faults, ...invalid.map(({ step, fault }) => `${step}: ${fault}`)];
  for (const fault of faults) write(`✗ ${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
  else updatePage(section);
}

await main();
