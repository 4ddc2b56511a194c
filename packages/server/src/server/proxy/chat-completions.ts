/**
 * OpenAI's chat completions. The memory's text goes into the first message if that is the system's or the developer's, else
 * into a system message before all others: many models accept one such message only, and only as the first.
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
import { addFirstItem, addLastItem, addToString, firstItemOf, memberOf, valueAt } from "./json-splice.js";

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

  addInstructions(json, text) {
    const messages = memberOf(json, valueAt(json, 0), "messages");
    if (messages === null || json[messages.start] !== "[") return null;
    const first = firstItemOf(json, messages);
    const content =
      first !== null && isInstruction(json.slice(first.start, first.end)) ? memberOf(json, first, "content") : null;
    const kind = content === null ? undefined : json[content.start];
    if (kind === '"') return addToString(json, content!, `\n\n${text}`);
    if (kind === "[") return addLastItem(json, content!, { type: "text", text });
    return addFirstItem(json, messages, { role: "system", content: text });
  },

  createReply: () => new ChatReply(),
};

function isInstruction(json: string): boolean {
  const message: unknown = JSON.parse(json);
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
  #whole: Readonly<Record<string, unknown>> | null = null;

  addEvent(event: Readonly<Record<string, unknown>>): void {
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

  addWhole(body: Readonly<Record<string, unknown>>): void {
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
