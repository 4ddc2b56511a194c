/**
 * OpenAI's chat completions. The memory's text goes into the first message if that is the system's or the developer's, else
 * into a system message before all others: many models accept one such message only, and only as the first.
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

export const chatCompletions: ChatShape = {
  operation: "chat.completions",
  path: "/chat/completions",
  isAnthropic: false,

  readRequest: ({ messages, user }) => ({
    messages: objectsIn(messages),
    user: asText(user),
    previousId: null,
    upstreamConversation: null,
  }),

  addInstructions({ messages, ...others }, text) {
    if (!Array.isArray(messages)) return null;
    const [first, ...rest] = messages as unknown[];
    const content = isInstruction(first) ? withText(first["content"], text) : null;
    const changed =
      content === null
        ? [{ role: "system", content: text }, ...messages]
        : [{ ...(first as JsonObject), content }, ...rest];
    return { ...others, messages: changed };
  },

  createReply: () => new ChatReply(),
};

function isInstruction(message: unknown): message is JsonObject {
  return isObject(message) && (message["role"] === "system" || message["role"] === "developer");
}

interface GrowingCall {
  id: unknown;
  readonly name: GrowingText;
  readonly input: GrowingText;
}

/** Of several choices, the first. */
class ChatReply implements ReplyParts {
  readonly #content = new GrowingText();
  readonly #refusal = new GrowingText();
  readonly #calls: GrowingCall[] = [];
  #whole: JsonObject | null = null;

  addEvent(event: JsonObject): void {
    const choice = objectsIn(event["choices"]).find(({ index }) => index === 0 || index === undefined);
    const delta = choice?.["delta"];
    if (!isObject(delta)) return;
    this.#content.add(delta["content"]);
    this.#refusal.add(delta["refusal"]);
    for (const call of objectsIn(delta["tool_calls"]))
      this.#addToCall(call["index"] ?? 0, call["id"], call["function"]);
    if (isObject(delta["function_call"])) this.#addToCall(0, null, delta["function_call"]);
  }

  #addToCall(index: unknown, id: unknown, called: unknown): void {
    if (!isPartIndex(index)) return;
    const call = (this.#calls[index] ??= { id: null, name: new GrowingText(), input: new GrowingText() });
    call.id ??= id;
    if (!isObject(called)) return;
    call.name.add(called["name"]);
    call.input.add(called["arguments"]);
  }

  addWhole(body: JsonObject): void {
    const [choice] = objectsIn(body["choices"]);
    const message = choice?.["message"];
    if (isObject(message)) this.#whole = message;
  }

  id(): null {
    return null;
  }

  messages(): readonly object[] {
    if (this.#whole !== null) return [{ ...this.#whole, role: "assistant" }];
    const calls = this.#calls.map(({ id, name, input }) => ({
      ...(typeof id === "string" ? { id } : {}),
      type: "function",
      function: { name: name.text, arguments: input.text },
    }));
    const refusal = this.#refusal.text === "" ? {} : { refusal: this.#refusal.text };
    const message = { role: "assistant", content: this.#content.text, ...refusal };
    return [calls.length === 0 ? message : { ...message, tool_calls: calls.filter(Boolean) }];
  }
}
