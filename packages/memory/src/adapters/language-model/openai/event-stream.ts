/**
 * A chat completion sent piece by piece: server-sent events (HTML standard, section 9.2) with JSON data, as in OpenAI's
 * protocol. A finish reason or `[DONE]` marks the end; a stream that ends otherwise was cut off.
 */
import { readServerWords } from "./server-words.js";

interface ChatChunk {
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: string | null;
      /** Thoughts, where a server separates them: llama.cpp and vLLM, Ollama. */
      readonly reasoning_content?: string | null;
      readonly reasoning?: string | null;
    };
    readonly finish_reason?: string | null;
  }[];
  readonly error?: unknown;
}

const doneMark = "[DONE]";
/** Far longer than any event; a server that sends more without a line break sends something else. */
const lineLengthMax = 1_000_000;

/**
 * The whole text; `onText` is called with each piece, and with an empty one for a thought. Throws, saying what was
 * wrong, unless the stream reached its end.
 */
export async function readChatStream(
  bytes: AsyncIterable<Uint8Array>,
  onText: (piece: string) => void,
): Promise<string> {
  let text = "";
  let isFinished = false;
  for await (const data of readEvents(bytes)) {
    if (data === doneMark) return text;
    const { choices, error } = parseChunk(data);
    if (error !== undefined && error !== null) throw new Error(`the stream broke off: ${readServerWords(data)}`);
    const [choice] = choices ?? [];
    const { content: piece, reasoning_content, reasoning } = choice?.delta ?? {};
    if (typeof piece === "string" && piece !== "") {
      text += piece;
      onText(piece);
    } else if (reasoning_content || reasoning) onText("");
    if (typeof choice?.finish_reason === "string") isFinished = true;
  }
  if (isFinished) return text;
  throw new Error(`the stream was cut off after ${text.length} characters`);
}

function parseChunk(data: string): ChatChunk {
  try {
    const chunk = JSON.parse(data) as ChatChunk | null;
    if (typeof chunk === "object" && chunk !== null) return chunk;
  } catch {
    // Reported below.
  }
  throw new Error(`the stream contains something other than JSON: ${readServerWords(data)}`);
}

/** The data of each event; comments and other fields are ignored. */
async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of readLines(bytes)) {
    if (line === "" && data.length > 0) {
      yield data.join("\n");
      data = [];
    }
    if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
  }
  // Some servers omit the empty line after the last event.
  if (data.length > 0) yield data.join("\n");
}

async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of bytes) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split(/\r\n|\n|\r(?!$)/u);
    rest = lines.pop()!;
    if (rest.length > lineLengthMax)
      throw new Error(`the stream contains a line of more than ${lineLengthMax} characters`);
    yield* lines;
  }
  if (rest !== "") yield rest.replace(/\r$/u, "");
}
