/** Tools that add and change: commit_memory, update_memory, import_memories. */
import type { InteractionEdit, InteractionInput } from "mnemosyne-edge";
import { followSignals } from "mnemosyne-edge/internal/signals.js";
import { RequestError } from "../problem.js";
import { definedOnly } from "../rest/queries.js";
import { type Call, type Tool, defineTool } from "./tool.js";
import { commitShape, importShape, updateShape } from "./tool-shapes.js";

const progressCountMax = 100;

const commitMemory = defineTool({
  name: "commit_memory",
  title: "Remember something",
  description:
    "Remember something for later conversations. Call it whenever the user tells something worth knowing next time: facts " +
    "about themselves and people they know, health, plans, decisions, preferences. One call for each thing, in full " +
    "sentences that make sense alone. Small talk is not kept; the reason says so. If something changed (a new address), " +
    "put the ids of the memories that are no longer true into updates. To fix a memory that was never true, use update_memory.",
  shape: commitShape,
  example: { text: "I am allergic to penicillin." },
  action: "commit",
  isIdempotent: false,
  async run(input, { memory, signal }) {
    const result = await memory.commit(definedOnly(input) as InteractionInput, { wait: true, signal });
    const known = result.isNew ? "" : " It was there already.";
    return { structured: result, texts: [`${result.reason}. Id: ${result.id}.${known}`], ids: [result.id] };
  },
});

const updateMemory = defineTool({
  name: "update_memory",
  title: "Change a memory",
  description:
    "Change what a memory says, because it was written down wrongly. It keeps its id, and the earlier wording stays as a " +
    "version. If the memory was right and the world has changed, call commit_memory with updates instead.",
  shape: updateShape,
  example: { id: "20250108-0915-1a2b3c", text: "I moved to Porto." },
  action: "change",
  isIdempotent: true,
  async run({ id, ...changes }, { memory }) {
    const edit = definedOnly(changes) as InteractionEdit;
    if (Object.keys(edit).length === 0)
      throw new RequestError("request_invalid", "Say what to change: text, at or metadata.");
    const result = await memory.update(id, edit);
    const text = result.isChanged
      ? `Changed. ${result.reason}. Id: ${id}.`
      : `Nothing to change: ${id} says so already.`;
    return { structured: result, texts: [text], ids: [id] };
  },
});

const importMemories = defineTool({
  name: "import_memories",
  title: "Import many interactions",
  description:
    "Remember many interactions at once, for example earlier conversations, at most 1,000 a call. Each has text (what the " +
    "user said), or turns, or messages, or a summary; give each its own time in at. They become memories soon after. " +
    "Give ids if you may call it again: the same id is stored once.",
  shape: importShape,
  example: { interactions: [{ text: "I started the new job.", at: "2025-01-08" }] },
  action: "commit",
  isIdempotent: false,
  async run({ interactions }, call) {
    const onProgress = progressOf(call, interactions.length);
    // Ends when the client cancels it or the server stops; what was stored by then stays.
    const { controller, release } = followSignals(call.signal, call.stopping);
    const { signal } = controller;
    const inputs = interactions.map(definedOnly) as InteractionInput[];
    const result = await call.memory.commitMany(inputs, { onProgress, signal }).finally(release);
    const known = result.knownCount === 0 ? "" : ` ${result.knownCount} were there already.`;
    const texts = [`Stored ${result.acceptedCount} interactions.${known}`];
    return { structured: result, texts, ids: result.ids };
  },
});

export const writeTools: readonly Tool[] = [commitMemory, updateMemory, importMemories];

/** Tells a client that asked for it how far it is; about a hundred times at most. */
function progressOf({ context: { mcpReq } }: Call, total: number): (doneCount: number) => void {
  const progressToken = mcpReq._meta?.progressToken;
  const step = Math.ceil(total / progressCountMax);
  return (progress) => {
    if (progressToken === undefined || (progress % step !== 0 && progress !== total)) return;
    const params = { progressToken, progress, total, message: `${progress} of ${total} stored` };
    // A client that has gone needs no progress.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
