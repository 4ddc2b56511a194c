/** The values of a large JSON file one by one, each as soon as it is complete, so that the file never lies in memory whole. */
import { JSONParser } from "@streamparser/json";
import type { Reading } from "./reading.js";

/** Where the values are, as the parser writes it, such as "$.*": in a list, and in an object. */
export interface JsonPaths {
  readonly list: string;
  readonly object: string;
}

export async function* readJsonValues(
  chunks: AsyncIterable<string>,
  paths: JsonPaths,
  reading: Reading,
): AsyncGenerator<unknown> {
  let parser: JSONParser | null = null;
  const ready: unknown[] = [];
  let byteCount = 0;
  for await (const chunk of chunks) {
    const start = parser === null ? chunk.trimStart() : chunk;
    if (start !== "" && parser === null) {
      if (!/^[[{]/u.test(start)) throw reading.refuse("at its start: not JSON; check --from and the file");
      const path = start.startsWith("[") ? paths.list : paths.object;
      parser = new JSONParser({ paths: [path], keepStack: false, stringBufferSize: 0 });
      parser.onValue = ({ value }) => void ready.push(value);
    }
    // What is complete before a place that is damaged is still read.
    let failure: Error | null = null;
    try {
      parser?.write(chunk);
    } catch (error) {
      failure = error as Error;
    }
    yield* ready.splice(0);
    if (failure !== null) throw describeFailure(failure, byteCount, reading);
    byteCount += Buffer.byteLength(chunk);
  }
  if (parser === null) throw reading.refuse("at its start: an empty file; export again");
  if (!parser.isEnded) {
    const done = "what came before is read, and importing the whole file later stores nothing twice";
    throw reading.refuse(`at its end: the JSON stops in the middle; download or copy it again (${done})`);
  }
}

/** Where, but not what: it may be what somebody said. The parser counts from the start of a chunk. */
function describeFailure({ message }: Error, byteCount: number, reading: Reading): Error {
  const [, position = "0"] = /position "?(\d+)/u.exec(message) ?? [];
  const done = "what came before is read, and importing again stores nothing twice";
  return reading.refuse(`at byte ${byteCount + Number(position)}: not valid JSON; repair it or export again (${done})`);
}
