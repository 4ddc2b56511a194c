/** What the doctor says about the language model: which one, whether it answers and follows a schema, and what goes out. */
import type { LanguageModel, LanguageModelRequest } from "mnemosyne-edge";
import { type Finding, failure, trafficName } from "./doctor-finding.js";
import { readVariable } from "../environment.js";
import { type LanguageModelChoice, createLanguageModel, endpointHost } from "../language-model-settings.js";
import { shorten } from "../layout.js";

const shownLengthMax = 60;

const question: LanguageModelRequest = {
  instruction: 'Reply with JSON only: {"answer": "yes"}',
  text: "Can you hear me?",
  schema: { type: "object", properties: { answer: { type: "string", enum: ["yes"] } }, required: ["answer"] },
};

/** The model has as much time as in any step of the memory. */
export async function checkLanguageModel(
  choice: LanguageModelChoice | null,
  timeBudgetSeconds: number,
): Promise<Finding[]> {
  if (choice === null) {
    const detail = "none configured; every step works without one";
    return [{ name, ok: true, detail }, describeTraffic(choice)];
  }
  return [await askOnce(choice, timeBudgetSeconds), describeTraffic(choice)];
}

const name = "language model";
const remedies: Readonly<Record<LanguageModelChoice["kind"], string>> = {
  endpoint:
    "start the server, or check address, model and key; until then every step is done without it, and `mnemosyne refine` can refine those memories later",
  gguf: "check the file and its package, or omit --gguf and MNEMOSYNE_GGUF",
};

async function askOnce(choice: LanguageModelChoice, timeBudgetSeconds: number): Promise<Finding> {
  let model: LanguageModel | undefined;
  try {
    model = createLanguageModel(choice, { retryCountMax: 0 });
    const startMs = performance.now();
    const reply = await model.complete({
      ...question,
      signal: AbortSignal.timeout(Math.ceil(timeBudgetSeconds * 1000)),
    });
    const took = `${model.name} answered in ${Math.round(performance.now() - startMs)} ms`;
    if (keepsToSchema(reply)) return { name, ok: true, detail: `${took} and keeps to a JSON schema` };
    const detail = `${took}, but does not follow the JSON schema (${JSON.stringify(shorten(reply, shownLengthMax))})`;
    const remedy = "such a reply cannot be repaired, and the step is done without the model; try another model";
    return isRepairable(reply)
      ? { name, ok: true, detail: `${detail}; such replies are repaired` }
      : { name, ok: false, detail, remedy };
  } catch (error) {
    if ((error as Error).name === "TimeoutError") {
      const remedy = `${remedies[choice.kind]}; or change the limit with --set modelTimeBudgetSeconds=…`;
      return { name, ok: false, detail: `no answer within ${timeBudgetSeconds} s`, remedy };
    }
    return { ...failure(name, error), remedy: remedies[choice.kind] };
  } finally {
    await model?.close?.();
  }
}

function keepsToSchema(reply: string): boolean {
  try {
    const value = JSON.parse(reply) as { answer?: unknown } | null;
    return value?.answer === "yes";
  } catch {
    return false;
  }
}

/** Whether the reply contains the answer, with prose or a fence around it. */
function isRepairable(reply: string): boolean {
  return /["']?answer["']?\s*:\s*["']yes["']/u.test(reply);
}

function describeTraffic(choice: LanguageModelChoice | null): Finding {
  return { name: trafficName, ok: true, detail: describeDestination(choice) };
}

function describeDestination(choice: LanguageModelChoice | null): string {
  if (choice === null) {
    const set = (["OPENAI_BASE_URL", "OPENAI_API_KEY"] as const).filter(
      (variable) => readVariable(variable) !== undefined,
    );
    const unused = set.length === 0 ? "" : ` (${set.join(" and ")} set, but unused: no model is named)`;
    return `nothing${unused}`;
  }
  if (choice.kind === "gguf") return `nothing: ${choice.path} runs in this process`;
  const { key } = choice.endpoint;
  const withKey = key === null ? "without a key" : `with the key in ${key.variable}`;
  const what =
    "what is committed, memories for the core summary, in a chat what is said and recalled, and with --rewrite the question and the core summary";
  return `to ${endpointHost(choice.endpoint)}, ${withKey}: ${what}`;
}
