/** Tools that remove for good: forget_memory, and forget_all_memories, which a person confirms. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import type { ForgettingReceipt } from "mnemosyne-edge";
import { RequestError } from "../problem.js";
import { emptyIfUnknown } from "./read-tools.js";
import { type Call, type Tool, defineTool } from "./tool.js";
import { forgetAllShape, forgetShape } from "./tool-shapes.js";

const forgetMemory = defineTool({
  name: "forget_memory",
  title: "Forget a memory",
  description:
    "Remove a memory, or single statements, and everything made from them, for good. Call it only if the user asks you to " +
    "forget something. It cannot be undone. Find the id with recall_memories first.",
  shape: forgetShape,
  example: { id: "20250108-0915-1a2b3c" },
  action: "forget",
  // After a statement is forgotten, its name is the next one's.
  isIdempotent: false,
  async run({ id, ids = [] }, { memory }) {
    const named = id === undefined ? ids : [id, ...ids];
    if (named.length === 0) throw new RequestError("request_invalid", "Say what to forget: id, or ids.");
    const receipt = await memory.forget(named);
    return { structured: receipt, texts: [describe(receipt)], ids: receipt.forgotten };
  },
});

const forgetAllMemories = defineTool({
  name: "forget_all_memories",
  title: "Forget everything",
  description:
    "Remove everything that is remembered about the user, for good. Call it only if the user asks for exactly that. It " +
    "cannot be undone. The user is asked to confirm; call it without arguments first.",
  shape: forgetAllShape,
  example: {},
  action: "forget",
  isIdempotent: true,
  async run({ confirm }, call) {
    const statistics = await emptyIfUnknown(call.memory.statistics());
    if (statistics !== null) {
      const question = askIfPossible(call, confirm, statistics.memoryCount);
      if (question !== null) return question;
    }
    const receipt = (await emptyIfUnknown(call.memory.forgetAll())) ?? nothing;
    return { structured: receipt, texts: [describe(receipt)], ids: receipt.forgotten };
  },
});

export const forgetTools: readonly Tool[] = [forgetMemory, forgetAllMemories];

const nothing: ForgettingReceipt = {
  forgotten: [],
  removed: { interactions: 0, queueEntries: 0, memories: 0, edges: 0, vectors: 0, lexicalEntries: 0 },
  remainingPairs: [],
  coreSummaryRebuilt: false,
};

/** The question to the user; null once it is confirmed. A model cannot answer for a user whom the client can ask. */
function askIfPossible(call: Call, confirm: string | undefined, memoryCount: number): InputRequiredResult | null {
  const { name } = call.memory;
  if (!canAsk(call)) {
    if (confirm === name) return null;
    const advice = `Ask the user whether everything is to be removed for good (memories: ${memoryCount}). If so, call it again with`;
    throw new RequestError("request_invalid", `Nothing was forgotten. ${advice} {"confirm": ${JSON.stringify(name)}}.`);
  }
  const answer = inputResponse(call.context.mcpReq.inputResponses, "confirmation");
  if (answer.kind === "elicit") {
    if (answer.action === "accept" && answer.content?.["forget"] === true) return null;
    throw new RequestError(
      "not_allowed",
      "Nothing was forgotten: the user did not confirm. Do not try again unless asked.",
    );
  }
  return inputRequired({ inputRequests: { confirmation: inputRequired.elicit(questionAbout(name, memoryCount)) } });
}

function questionAbout(name: string, memoryCount: number): Parameters<typeof inputRequired.elicit>[0] {
  return {
    message: `Forget everything about ${JSON.stringify(name)} (memories: ${memoryCount})? This cannot be undone.`,
    requestedSchema: {
      type: "object",
      properties: { forget: { type: "boolean", title: "Yes, forget everything", default: false } },
      required: ["forget"],
    },
  };
}

function canAsk({ context, server }: Call): boolean {
  const envelope = context.mcpReq.envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities();
  const elicitation = declared?.elicitation;
  // Before modes existed, a client that could ask declared an empty object.
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

function describe({ forgotten, removed, remainingPairs }: ForgettingReceipt): string {
  if (forgotten.length === 0) return "There was nothing to forget.";
  const pairs = remainingPairs.length === 0 ? "" : ` These say nearly the same and stay: ${remainingPairs.join(", ")}.`;
  return `Forgotten for good. Interactions: ${removed.interactions}, memories: ${removed.memories}.${pairs}`;
}
