/**
 * From a model's reply to what was asked for. Models wrap JSON in prose, in code fences and in thoughts; all of that is
 * removed and recorded. The first object that reads as what was asked for counts, wherever it is in the reply.
 */
import { readLenientJson } from "./lenient-json.js";

export interface ReadReply<Value> {
  readonly value: Value;
  /** What had to be repaired; empty for a reply that was as asked. */
  readonly repairs: readonly string[];
}

/** How many objects are tried; a reply with more is unusable. */
const objectCountMax = 50;
const replyLengthMax = 200_000;

export function readReply<Value>(
  reply: string,
  read: (object: Readonly<Record<string, unknown>>) => Value,
): ReadReply<Value> {
  if (reply.length > replyLengthMax) throw new Error(`the reply is longer than ${replyLengthMax} characters`);
  const { text, repairs } = unwrap(reply);
  let failure: Error | null = null;
  for (const found of findObjects(text)) {
    try {
      return { value: read(found.object), repairs: [...repairs, ...found.repairs] };
    } catch (error) {
      failure ??= error as Error;
    }
  }
  throw failure ?? new Error("there is no JSON object in the reply");
}

/** The reply without thoughts, fences and a second layer of quotes. */
function unwrap(reply: string): { text: string; repairs: string[] } {
  const repairs: string[] = [];
  let text = reply.replace(/^\uFEFF/u, "").trim();
  const step = (name: string, next: string): void => {
    if (next === text) return;
    text = next.trim();
    repairs.push(name);
  };
  // A reply that ends inside its thoughts has nothing else; one that only closes them started them before the
  // recording.
  step("thoughts", text.replaceAll(/<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/giu, ""));
  step("thoughts", text.replace(/^[\s\S]*<\/think(?:ing)?>/iu, ""));
  step("code fence", /```[a-z\d]*(?![a-z\d])\s*(?!\s)([\s\S]*?)(?:```|$)/iu.exec(text)?.[1] ?? text);
  step("quoted JSON", unquote(text));
  return { text, repairs };
}

function unquote(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : text;
  } catch {
    return text;
  }
}

interface FoundObject {
  readonly object: Readonly<Record<string, unknown>>;
  readonly repairs: readonly string[];
}

function* findObjects(text: string): Generator<FoundObject> {
  const whole = parseStrictly(text);
  if (isObject(whole)) yield { object: whole, repairs: [] };
  let firstError: Error | null = null;
  let start = text.indexOf("{");
  for (let count = 0; start >= 0 && count < objectCountMax; count++) {
    try {
      const { value, end, leniencies } = readLenientJson(text, start);
      const isAlone = start === 0 && text.slice(end).trim() === "";
      if (isObject(value)) yield { object: value, repairs: [...(isAlone ? [] : ["text around"]), ...leniencies] };
    } catch (error) {
      firstError ??= error as Error;
    }
    start = text.indexOf("{", start + 1);
  }
  if (firstError !== null) throw new Error(`the reply is no valid JSON: ${firstError.message}`);
}

function parseStrictly(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
