/**
 * What the AI SDK's language models take and return, as far as memory looks at them: versions 2 to 4 of its specification
 * have it in common. Types of our own, because this door needs none of its packages.
 */

/** A message of a prompt; the content of a system message is text, that of others a list of parts. */
export interface PromptMessage {
  readonly role: string;
  readonly content: string | readonly object[];
  readonly providerOptions?: unknown;
}

export interface CallOptions {
  readonly prompt: readonly PromptMessage[];
  readonly abortSignal?: AbortSignal;
}

export interface GenerateResult {
  readonly content: readonly object[];
  readonly finishReason: unknown;
}

export interface StreamResult {
  readonly stream: ReadableStream<StreamPart>;
}

export interface StreamPart {
  readonly type: string;
  readonly delta?: unknown;
  readonly finishReason?: unknown;
}

/** A language model of the AI SDK. */
export interface Model {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: unknown;
  // Methods, not properties: a model may want more of its options than memory knows.
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
}
