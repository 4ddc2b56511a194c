/**
 * What a language model replied to the commitment prompt for each interaction of one journey, and perhaps how it rewrote
 * questions, kept in a file, so that the
 * path with a model can be measured again and without one: `benchmarks/model-replies/README.md` has the format.
 */
import { basename } from "node:path";
import { InputError } from "mnemosyne-edge";
import type { Dataset } from "./dataset.js";
import { JsonReader } from "./json-reader.js";

export interface RecordedReplies {
  readonly file: string;
  /** The group whose interactions they are of. */
  readonly journey: string;
  /** By the id of the interaction, as the model wrote it. */
  readonly replies: ReadonlyMap<string, string>;
  /** By the id of the question, other wordings of it; those of a recording without any are not rewritten. */
  readonly rewritings: ReadonlyMap<string, string>;
}

export async function readRecordedReplies(path: string): Promise<RecordedReplies> {
  const recording = await JsonReader.open(path);
  return {
    file: basename(path),
    journey: recording.field("journey").text(),
    replies: readById(recording.field("replies")),
    rewritings: recording.field("rewritings").isMissing() ? new Map() : readById(recording.field("rewritings")),
  };
}

function readById(recorded: JsonReader): Map<string, string> {
  return new Map(recorded.names().map((id) => [id, recorded.field(id).objectAsJson()]));
}

const missingNamedMax = 5;

/** Refuses a data set with an interaction that nothing was recorded for: half a model is no measurement. */
export function checkReplies({ groups }: Dataset, { file, journey, replies }: RecordedReplies): void {
  const others = groups.filter(({ id }) => id !== journey);
  if (others.length > 0) {
    const names = others.map(({ id }) => id).join(", ");
    throw new InputError(
      "option_invalid",
      `${file} has replies for ${journey}, none for ${names}; add --only ${journey}`,
    );
  }
  const interactions = groups.flatMap((group) => group.interactions);
  const missing = interactions.filter(({ id }) => !replies.has(id));
  if (missing.length === 0) return;
  const named = missing.slice(0, missingNamedMax).map(({ id }) => `"${id}"`);
  const names = missing.length > named.length ? `${named.join(", ")}, …` : named.join(", ");
  throw new InputError(
    "dataset_invalid",
    `${file} has no reply for ${names}: ${missing.length} of the ${interactions.length} interactions of ${journey} lack one`,
  );
}
