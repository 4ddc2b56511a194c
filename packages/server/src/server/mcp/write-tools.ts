/** Tools that add and change: commit_memory, update_memory. */
import type { InteractionEdit, InteractionInput } from "mnemosyne-edge";
import { RequestError } from "../problem.js";
import { definedOnly } from "../rest/queries.js";
import { type Tool, defineTool } from "./tool.js";
import { commitShape, updateShape } from "./tool-shapes.js";

const commitMemory = defineTool({
  name: "commit_memory",
  title: "Remember something",
  description:
    "Remember something for later conversations. Call it whenever the user tells something worth knowing next time: facts " +
    "about themselves and people they know, health, plans, decisions, preferences. One call for each thing, in full " +
    "sentences that make sense alone. Small talk is not kept; the reason says so. If something changed (a new address), " +
    "put the ids of what is no longer true into updates. To fix a memory that was never true, use update_memory. If the user " +
    "asks to forget something, forgetAsked names what is held back: ask whether to forget it, then call forget_memory.",
  shape: commitShape,
  example: { text: "I am allergic to penicillin." },
  action: "commit",
  isIdempotent: false,
  async run(input, { memory, signal }) {
    const result = await memory.commit(definedOnly(input) as InteractionInput, { wait: true, signal });
    const known = result.isNew ? "" : " It was there already.";
    const texts = [`${result.reason}. Id: ${result.id}.${known}`];
    if (result.forgetAsked.length > 0) {
      texts.push(`Held back until it is forgotten (forget_memory): ${result.forgetAsked.join(", ")}`);
    }
    return { structured: result, texts, ids: [result.id] };
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

export const writeTools: readonly Tool[] = [commitMemory, updateMemory];
