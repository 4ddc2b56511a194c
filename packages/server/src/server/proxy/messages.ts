/**
 * Anthropic's messages. The memory's text goes to the end of `system`: after the blocks that the caller has marked for the
 * cache, so that their cache stays valid.
 */
import {
  type ChatShape,
  GrowingText,
  type JsonObject,
  type ReplyParts,
  asText,
  isObject,
  isPartIndex,
  objectsIn,
  withText,
} from "./chat-shape.js";

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

  addInstructions(body, text) {
    const system = body["system"] ?? null;
    const changed = system === null ? text : withText(system, text);
    return changed === null ? null : { ...body, system: changed };
  },

  createReply: () => new MessagesReply(),
};

interface GrowingBlock {
  readonly begun: JsonObject;
  readonly text: GrowingText;
  readonly input: GrowingText;
}

class MessagesReply implements ReplyParts {
  readonly #blocks: (GrowingBlock | undefined)[] = [];
  #whole: readonly object[] | null = null;

  addEvent(event: JsonObject): void {
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

  addWhole(body: JsonObject): void {
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
