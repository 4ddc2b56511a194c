/**
 * Completes a prompt. Optional: every step has a version without one, and takes it whenever the model fails or answers
 * with something else than was asked for.
 */
export interface LanguageModel {
  readonly name: string;
  /** Where it is, if two of one name can be in different places. */
  readonly address?: string;
  /** Tokens of text it can take in one request beside the instruction and its own reply; as many as asked where absent. */
  readonly textTokensMax?: number;
  /** The reply as text; JSON where the model can be held to the schema, and hopefully elsewhere. */
  complete(request: LanguageModelRequest): Promise<string>;
  close?(): Promise<void>;
}

export interface LanguageModelRequest {
  readonly instruction: string;
  readonly text: string;
  /** JSON schema the reply has to follow. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Nobody waits for the reply any more once it is aborted. */
  readonly signal?: AbortSignal;
}

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly text: string;
}

/** A model that can also talk freely; the memory itself never needs that. */
export interface ChatModel extends LanguageModel {
  /** The reply to the last message; `onText` is told each piece as it comes, an empty one for a thought apart from it. */
  reply(messages: readonly ChatMessage[], onText?: (piece: string) => void, signal?: AbortSignal): Promise<string>;
}
