/**
 * Completes a prompt. Optional: every step also works without one, and does so whenever the model fails or its reply is
 * not what was asked for.
 */
export interface LanguageModel {
  readonly name: string;
  /** Where it is, if models of the same name can be in different places. */
  readonly address?: string;
  /** How many tokens of text one request can hold besides the instruction and the reply; absent means any number. */
  readonly textTokensMax?: number;
  /** The reply as text; JSON if the model can be held to the schema, and hopefully otherwise. */
  complete(request: LanguageModelRequest): Promise<string>;
  close?(): Promise<void>;
}

export interface LanguageModelRequest {
  readonly instruction: string;
  readonly text: string;
  /** The JSON schema the reply has to follow. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Tokens that a good reply never exceeds; a model that counts them stops there. Absent means the model's own limit. */
  readonly replyTokensMax?: number;
  /** Aborted when nobody waits for the reply any more. */
  readonly signal?: AbortSignal;
}

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly text: string;
}

/** A model that can also converse freely; the memory itself never needs that. */
export interface ChatModel extends LanguageModel {
  /**
   * The reply to the last message; `onText` is called with each piece as it arrives, and with an empty one for a hidden
   * thought.
   */
  reply(messages: readonly ChatMessage[], onText?: (piece: string) => void, signal?: AbortSignal): Promise<string>;
}
