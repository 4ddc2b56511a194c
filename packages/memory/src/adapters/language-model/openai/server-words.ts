/** What a server said when it could not answer, in a few readable words. */

const lengthMax = 200;

/**
 * The message inside an error's JSON, verbatim; anything else is quoted. Servers quote what they were sent: `secret` is
 * redacted.
 */
export function readServerWords(body: string, secret?: string): string {
  const message = messageIn(parse(body));
  return message === null ? `"${shorten(body, secret)}"` : shorten(message, secret);
}

/** Where servers put it: OpenAI and llama.cpp, Ollama, vLLM, FastAPI. */
function messageIn(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const { error, message, detail } = value as { error?: unknown; message?: unknown; detail?: unknown };
  const found = [messageIn(error), error, message, detail].find(
    (text) => typeof text === "string" && text.trim() !== "",
  );
  return (found as string | undefined) ?? null;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return null;
  }
}

function shorten(text: string, secret: string | undefined): string {
  const safe = secret === undefined ? text : text.replaceAll(secret, "[key]");
  const flat = safe.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return flat.length > lengthMax ? `${flat.slice(0, lengthMax).toWellFormed()}…` : flat;
}
