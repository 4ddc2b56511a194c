/**
 * Completes a prompt. Optional: every step has a version without one, and takes it whenever the model fails or answers
 * with something else than the schema asks for.
 */
export interface LanguageModel {
  readonly name: string;
  /** The reply as text; JSON where a schema was given. */
  complete(request: LanguageModelRequest): Promise<string>;
}

export interface LanguageModelRequest {
  readonly instruction: string;
  readonly text: string;
  /** JSON schema the reply has to follow. */
  readonly schema: Readonly<Record<string, unknown>>;
}
