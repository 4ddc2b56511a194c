/**
 * Parts of a message, as chat APIs write them, in words. Text is taken as it is. Calls of tools, what they returned, and
 * images and files become a short note, so that it is known that they were there. What a model thinks to itself is left
 * out.
 */
import { describeValue, isList, readFields, readItems } from "./given-values.js";
import { InputError } from "../errors.js";

/** What a part says, and whether it is the work of a tool rather than of whoever sent the message. */
export interface PartText {
  readonly text: string;
  readonly isOfTool: boolean;
}

/** Names of tools by the ids of their calls: what a tool returned names the call only. */
export type ToolCalls = Map<string, string>;

const noteLengthMax = 200;
const partCountMax = 10_000;
/** How deep what a tool returned is looked into for texts and images; below, it is shown as JSON. */
const depthMax = 3;

const texts = new Set(["text", "input_text", "output_text"]);
/** Thoughts, and what only the API and its client tell each other. */
const leftOut =
  /^(?:reasoning|(?:redacted_)?thinking|step-start|item_reference|compaction|mcp_(?:list_tools|approval)|tool-approval-re|data-)/u;
/** What a medium is called, by the words of its type. */
const media: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/^(?:web_)?search_result$|^source-/u, "source"],
  [/^(?:input_)?image\b|^image_url$/u, "image"],
  [/^(?:input_)?audio$/u, "audio"],
  [/^video(?:_url)?$/u, "video"],
  [/^document$/u, "document"],
  [/^(?:input_)?file\b|^media$|^container_upload$/u, "file"],
];

const partFields = [
  "type",
  "text",
  "refusal",
  "toolName",
  "name",
  "title",
  "filename",
  "url",
  "mediaType",
  "mimeType",
  "file",
  "input",
  "args",
  "arguments",
  "output",
  "result",
  "content",
  "errorText",
  "function",
  "custom",
  "id",
  "toolCallId",
  "tool_use_id",
  "call_id",
  "tool_call_id",
] as const;

type Part = Record<(typeof partFields)[number], unknown>;

/** `what` is what an error calls the list. */
export function readParts(parts: unknown, what: string, calls: ToolCalls, depth = 0): PartText[] {
  const items = readItems(parts, what, "interaction_invalid", (count) => {
    if (count <= partCountMax) return;
    throw new InputError("interaction_invalid", `${what} has ${count} parts; it may have at most ${partCountMax}`);
  });
  return items.flatMap((item, i) => readPart(item, `part ${i + 1} of ${what}`, calls, depth));
}

/** Also an item of a list in which nobody says anything, such as a call and what it returned. */
export function readPart(given: unknown, what: string, calls: ToolCalls, depth = 0): PartText[] {
  if (typeof given === "string") return [{ text: given, isOfTool: false }];
  const part = readFields(given, partFields, what, "interaction_invalid");
  const { type, text, refusal } = part;
  if (texts.has(type as string) || (type === undefined && typeof text === "string")) {
    if (typeof text === "string") return [{ text, isOfTool: false }];
    throw new InputError("interaction_invalid", `${what} has the type ${String(type)} and no text`);
  }
  if (type === "refusal" && typeof refusal === "string") return [{ text: refusal, isOfTool: false }];
  if (typeof type !== "string") return [{ text: "[part]", isOfTool: false }];
  if (leftOut.test(type)) return [];
  const medium = media.find(([pattern]) => pattern.test(type));
  if (medium !== undefined) return [{ text: describeMedium(medium[1], part), isOfTool: false }];
  const notes = describeTool(type, part, calls, depth);
  if (notes !== null) return notes.map((note) => ({ text: note, isOfTool: true }));
  return [{ text: typeof text === "string" ? text : `[${shorten(type)}]`, isOfTool: false }];
}

/** "[image]", "[file plan.pdf]". What a file is decides over how it was sent. */
function describeMedium(kind: string, { mediaType, mimeType, filename, title, name, url, file }: Part): string {
  const exact = /^(?:image|audio|video)(?=\/)/u.exec(asText(mediaType) ?? asText(mimeType) ?? "")?.[0];
  const inner = typeof file === "object" && file !== null ? readFields(file, ["filename"], "the file").filename : null;
  const address = kind === "source" ? asText(url) : null;
  const known = asText(filename) ?? asText(inner) ?? asText(title) ?? asText(name) ?? address;
  return known === null || known === "" ? `[${exact ?? kind}]` : `[${exact ?? kind} ${shorten(known)}]`;
}

/** Calls and what they returned, by the names that the APIs have for them; null if it is neither. */
function describeTool(type: string, part: Part, calls: ToolCalls, depth: number): string[] | null {
  const { output, result, content, errorText } = part;
  const isResult = /(?:^|_)tool_result$|_output$/u.test(type) || (type === "tool-result" && part.toolName != null);
  if (isResult) return [describeReturned(nameOfCall(part, calls), output ?? result ?? content, calls, depth)];
  const isCall = /(?:^|_)tool_use$|_call$/u.test(type) || type === "tool-call" || type === "function";
  if (!isCall && !/^(?:dynamic-)?tool(?:-|$)/u.test(type) && type !== "custom") return null;
  const { name, input } = callOf(type, part);
  for (const id of idsOf(part)) calls.set(id, name);
  const called = describeCall(name, input);
  if (typeof errorText === "string") return [called, `[${shorten(name)} failed: ${shorten(errorText)}]`];
  return output === undefined || output === null ? [called] : [called, describeReturned(name, output, calls, depth)];
}

function callOf(type: string, part: Part): { name: string; input: unknown } {
  const { toolName, name, input, args, arguments: given } = part;
  const inner = part.function ?? part.custom;
  if (typeof inner === "object" && inner !== null) {
    const own = readFields(inner, ["name", "arguments", "input"], "the call", "interaction_invalid");
    return { name: asText(own.name) ?? "a tool", input: own.arguments ?? own.input };
  }
  const fromType = type.replace(/^(?:dynamic-)?tool-|_(?:call|tool_use)$/gu, "");
  return { name: asText(toolName) ?? asText(name) ?? fromType, input: input ?? args ?? given };
}

function nameOfCall(part: Part, calls: ToolCalls): string {
  const known = idsOf(part).flatMap((id) => calls.get(id) ?? []);
  return asText(part.toolName) ?? known[0] ?? asText(part.name) ?? "a tool";
}

function idsOf({ id, toolCallId, tool_use_id: useId, call_id: callId, tool_call_id: toolId }: Part): string[] {
  return [toolCallId, useId, callId, toolId, id].filter((each) => typeof each === "string");
}

function describeCall(name: string, input: unknown): string {
  const shown = typeof input === "string" ? shorten(input) : writeShort(input);
  return shown === "" || shown === "{}" ? `[called ${shorten(name)}]` : `[called ${shorten(name)} ${shown}]`;
}

export function describeReturned(name: string, output: unknown, calls: ToolCalls, depth = 0): string {
  const shown = shorten(describeOutput(output, calls, depth + 1));
  return shown === "" ? `[${shorten(name)} returned nothing]` : `[${shorten(name)} returned ${shown}]`;
}

/** A text, a list of parts, or any value, which may be wrapped with its type. */
function describeOutput(output: unknown, calls: ToolCalls, depth: number): string {
  if (typeof output === "string") return output;
  if (output === undefined || output === null) return "";
  if (depth > depthMax || typeof output !== "object") return writeShort(output);
  if (isList(output)) {
    const isShort = output.length > 0 && output.length <= partCountMax;
    if (!isShort || !output.every(isTyped)) return writeShort(output);
    return readParts(output, "what a tool returned", calls, depth)
      .map(({ text }) => text)
      .join(" ");
  }
  const { type, value } = readFields(output, ["type", "value"], "what a tool returned", "interaction_invalid");
  return typeof type === "string" && value !== undefined ? describeOutput(value, calls, depth + 1) : writeShort(output);
}

function isTyped(item: unknown): boolean {
  return typeof item === "object" && item !== null && "type" in item;
}

function asText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** In one line, with a mark where it was cut. */
function shorten(text: string): string {
  const line = text
    .slice(0, 2 * noteLengthMax)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const isCut = line.length > noteLengthMax || text.length > 2 * noteLengthMax;
  return isCut
    ? `${line.slice(0, noteLengthMax).replace(/[\ud800-\udbff]$/u, "")}…`.toWellFormed()
    : line.toWellFormed();
}

/** The beginning of a value as JSON; its kind, where JSON has no form for it. */
function writeShort(value: unknown): string {
  try {
    const json: unknown = JSON.stringify(value, (_, each: unknown) => (ArrayBuffer.isView(each) ? "(bytes)" : each));
    return typeof json === "string" ? shorten(json) : "";
  } catch {
    // It holds itself, or a number that is too large for JSON.
    return describeValue(value);
  }
}
