/**
 * Anthropic's messages. The memory's text goes to the end of `system`: after the blocks that the caller has marked for the
 * cache, so that their cache stays valid.
 */
import {
  type ChatShape,
  GrowingText,
  type ReplyParts,
  asText,
  isObject,
  isPartIndex,
  objectsIn,
} from "./chat-shape.js";
import { addLastItem, addMember, addToString, memberOf, replace, valueAt } from "./json-splice.js";

export const messages: ChatShape = {
  operation: "messages",
  path: "/messages",
  isAnthropic: true,

  readRequest: ({ messages: sent, metadata }) => ({
    messages: objectsIn(sent),
    user: isObject(metadata) ? asText(metadata["user_id"]) : null,
    previousId: null,
    upstreamConversation: null,
  }),

  addInstructions(json, text) {
    const body = valueAt(json, 0);
    const system = memberOf(json, body, "system");
    if (system === null) return addMember(json, body, "system", text);
    if (json[system.start] === '"') return addToString(json, system, `\n\n${text}`);
    if (json[system.start] === "[") return addLastItem(json, system, { type: "text", text });
    return json.startsWith("null", system.start) ? replace(json, system, text) : null;
  },

  createReply: () => new MessagesReply(),
};

interface GrowingBlock {
  readonly begun: Readonly<Record<string, unknown>>;
  readonly text: GrowingText;
  readonly input: GrowingText;
}

class MessagesReply implements ReplyParts {
  readonly #blocks: (GrowingBlock | undefined)[] = [];
  #whole: readonly object[] | null = null;

  addEvent(event: Readonly<Record<string, unknown>>): void {
    const { type, index, content_block: begun, delta } = event;
    if (!isPartIndex(index)) return;
    if (type === "content_block_start" && isObject(begun)) {
      const block = { begun, text: new GrowingText(), input: new GrowingText() };
      block.text.add(begun["text"]);
      this.#blocks[index] = block;
    }
    if (type !== "content_block_delta" || !isObject(delta)) return;
    this.#blocks[index]?.text.add(delta["text"]);
    this.#blocks[index]?.input.add(delta["partial_json"]);
  }

  addWhole(body: Readonly<Record<string, unknown>>): void {
    this.#whole = objectsIn(body["content"]);
  }

  id(): null {
    return null;
  }

  messages(): readonly object[] {
    const content = this.#whole ?? this.#blocks.flatMap((block) => (block === undefined ? [] : [finish(block)]));
    return content.length === 0 ? [] : [{ role: "assistant", content }];
  }
}

function finish({ begun, text, input }: GrowingBlock): object {
  if (begun["type"] === "text") return { ...begun, text: text.text };
  return input.text === "" ? begun : { ...begun, input: readInput(input.text) };
}

/** As the client will send it back; cut off, it is not JSON. */
function readInput(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
