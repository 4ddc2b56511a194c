/** OpenAI's Responses. The memory's text goes to the end of `instructions`. */
import {
  type ChatShape,
  GrowingText,
  type JsonObject,
  type ReplyParts,
  asText,
  isObject,
  isPartIndex,
  objectsIn,
} from "./chat-shape.js";

export const responses: ChatShape = {
  operation: "responses",
  path: "/responses",
  isAnthropic: false,

  readRequest({ input, user, previous_response_id: previousId, conversation }) {
    const messages = typeof input === "string" ? [{ role: "user", content: input }] : objectsIn(input);
    const named = isObject(conversation) ? conversation["id"] : conversation;
    return { messages, user: asText(user), previousId: asText(previousId), upstreamConversation: asText(named) };
  },

  addInstructions(body, text) {
    const instructions = body["instructions"] ?? "";
    if (typeof instructions !== "string") return null;
    return { ...body, instructions: instructions === "" ? text : `${instructions}\n\n${text}` };
  },

  createReply: () => new ResponsesReply(),
};

/** Items that are finished replace what arrived of them in pieces. */
class ResponsesReply implements ReplyParts {
  readonly #items: (JsonObject | undefined)[] = [];
  readonly #pieces: (GrowingText | undefined)[] = [];
  #id: string | null = null;

  addEvent(event: JsonObject): void {
    const { type, output_index: index, response, item, delta } = event;
    if (isObject(response)) this.addWhole(response);
    if (!isPartIndex(index)) return;
    if (type === "response.output_text.delta" || type === "response.refusal.delta") {
      (this.#pieces[index] ??= new GrowingText()).add(delta);
    }
    if (type === "response.output_item.done" && isObject(item)) this.#items[index] = item;
  }

  addWhole(body: JsonObject): void {
    this.#id = asText(body["id"]) ?? this.#id;
    for (const [i, item] of objectsIn(body["output"]).entries()) {
      if (isPartIndex(i)) this.#items[i] = item;
    }
  }

  id(): string | null {
    return this.#id;
  }

  messages(): readonly object[] {
    const count = Math.max(this.#items.length, this.#pieces.length);
    return Array.from({ length: count }, (_, i) => {
      const text = this.#pieces[i]?.text ?? "";
      return this.#items[i] ?? (text === "" ? null : { role: "assistant", content: text });
    }).filter((item) => item !== null);
  }
}
