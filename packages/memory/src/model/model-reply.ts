/**
 * From a model's reply to what was asked for. Models wrap JSON in prose, code fences and thoughts, and small ones write it
 * with single quotes, bare keys, trailing commas, comments and Python's literals; all of that is repaired and recorded.
 * The first object that reads as what was asked for counts. Truncated JSON remains an error: the rest is unknown.
 */
export interface ReadReply<Value> {
  readonly value: Value;
  /** What had to be repaired; empty for a reply that was as asked. */
  readonly repairs: readonly string[];
}

/** How many objects are tried; a reply with more is unusable. */
const objectCountMax = 50;
const replyLengthMax = 200_000;

type JsonObject = Readonly<Record<string, unknown>>;

export function readReply<Value>(reply: string, read: (object: JsonObject) => Value): ReadReply<Value> {
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
  const inner = text.startsWith('"') ? parse(text) : undefined;
  step("quoted JSON", typeof inner === "string" ? inner : text);
  return { text, repairs };
}

interface FoundObject {
  readonly object: JsonObject;
  readonly repairs: readonly string[];
}

function* findObjects(text: string): Generator<FoundObject> {
  const whole = parse(text);
  if (isObject(whole)) yield { object: whole, repairs: [] };
  let isBroken = false;
  let start = text.indexOf("{");
  for (let count = 0; start >= 0 && count < objectCountMax; count++) {
    const { json, end, repairs } = repairJson(text, start);
    const value = parse(json);
    const isAlone = start === 0 && text.slice(end).trim() === "";
    if (isObject(value)) yield { object: value, repairs: [...(isAlone ? [] : ["text around"]), ...repairs] };
    else isBroken = true;
    start = text.indexOf("{", start + 1);
  }
  // The reply may repeat what was said, so the parser's message, which quotes it, is left out.
  if (isBroken) throw new Error("the reply is no valid JSON, or is cut off");
}

/** An escape outside of texts is a token, so that an open quote is looked for only once. */
const jsonToken =
  /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\\[\s\S]|\/\/[^\n]*|#[^\n]*|[{}[\]]|,(?=\s*[}\]])|[\p{L}_$][\p{L}\p{N}_$-]*/gu;
const literals: Readonly<Record<string, string>> = { True: "true", False: "false", None: "null", undefined: "null" };

/** The object that begins at `start` as strict JSON, if it can be made so. */
function repairJson(text: string, start: number): { json: string; end: number; repairs: readonly string[] } {
  const repairs = new Set<string>();
  const repaired = (name: string, json: string): string => {
    repairs.add(name);
    return json;
  };
  const strict = (token: string, end: number): string => {
    if (token.startsWith('"')) return token.includes("\n") ? repaired("raw line break", escapeBreaks(token)) : token;
    if (token.startsWith("'")) return repaired("single quotes", requote(token));
    if (token.startsWith("//") || token.startsWith("#")) return repaired("comment", "");
    if (token === ",") return repaired("trailing comma", "");
    if (Object.hasOwn(literals, token)) return repaired("other literals", literals[token]!);
    if (/^[\p{L}_$]/u.test(token) && /^\s*:/u.test(text.slice(end, end + 20))) {
      return repaired("bare keys", JSON.stringify(token));
    }
    return token;
  };
  let json = "";
  let depth = 0;
  let at = start;
  jsonToken.lastIndex = start;
  for (let match = jsonToken.exec(text); match !== null; match = jsonToken.exec(text)) {
    const end = jsonToken.lastIndex;
    json += text.slice(at, match.index) + strict(match[0], end);
    at = end;
    if (match[0] === "{" || match[0] === "[") depth++;
    if ((match[0] === "}" || match[0] === "]") && --depth === 0) break;
  }
  return { json, end: at, repairs: [...repairs] };
}

function escapeBreaks(quoted: string): string {
  return quoted.replaceAll("\r", "\\r").replaceAll("\n", "\\n");
}

function requote(quoted: string): string {
  const inner = quoted.slice(1, -1).replaceAll(/\\'|"/gu, (found) => (found === '"' ? '\\"' : "'"));
  return escapeBreaks(`"${inner}"`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
