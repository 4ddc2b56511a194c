/**
 * mem0: memories as `get_all` returns them and the documentation exports them, `{ results: [ … ] }` or a plain list, of
 * the platform (snake case) or of the TypeScript package (camel case). Each memory is a fact and is kept.
 */
import {
  type ImportedInteraction,
  describeSource,
  fingerprint,
  idPart,
  isMetadataField,
  metadataKeyCountMax,
} from "./imported-interaction.js";
import { readJsonValues } from "./json-values.js";
import { type Reading, readObject, readOptionalText, readText } from "./reading.js";
import { divideText } from "./sessions.js";

type Fields = Readonly<Record<string, unknown>>;

const paths = { list: ["$.*"], object: ["$.results.*", "$.memories.*"] };
/** Our own id in a memory that `mnemosyne export --as mem0` wrote. */
export const ownIdField = "mnemosyne_id";
const endOfDayMs = 24 * 3_600_000;

export async function* readMem0(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<ImportedInteraction> {
  const { asUser } = reading.settings;
  let onlyUser: string | null = asUser;
  let number = 0;
  for await (const { value } of readJsonValues(chunks, paths, reading)) {
    number++;
    reading.count();
    const place = `memory ${number}`;
    const read = (): ImportedInteraction[] => {
      const memory = readObject(value, "the memory");
      const user = readOptionalText(first(memory, "user_id", "userId"), "user_id");
      if (asUser !== null && user !== asUser) {
        reading.skip("memories of other users");
        return [];
      }
      if (user !== "") onlyUser ??= user;
      if (user !== "" && user !== onlyUser) {
        const remedy = "name whose are imported with --as-user (asUser), so that two people do not become one";
        throw reading.refuse(`${place}: memories of several user_ids; ${remedy}`);
      }
      return readMemory(memory, reading);
    };
    yield* reading.attempt(place, read);
  }
  if (number === 0) reading.skip("files without memories");
}

function readMemory(memory: Fields, reading: Reading): ImportedInteraction[] {
  const text = readText(memory["memory"] ?? memory["text"] ?? memory["data"], "memory");
  if (text.trim() === "") {
    reading.skip("empty memories");
    return [];
  }
  const expiry = first(memory, "expiration_date", "expirationDate");
  const expiresAt = expiry === null ? null : expiryOf(expiry, reading);
  if (expiresAt !== null && expiresAt <= reading.settings.nowMs) {
    reading.skip("expired memories");
    return [];
  }
  const given = (memory["metadata"] ?? {}) as Fields;
  const created = first(memory, "created_at", "createdAt");
  const id = ownId(given) ?? `mem0-${memoryId(memory, text)}`;
  const fact = {
    ...(created === null ? {} : { at: reading.time(created, "created_at") }),
    metadata: metadataOf(memory, given, reading),
    keep: true,
    ...(expiresAt === null ? {} : { expiresAt }),
  };
  return divideText(text, reading.settings.limits.characterCountMax).map((summary, i) => ({
    id: i === 0 ? id : `${id}.${i + 1}`,
    summary,
    ...fact,
  }));
}

function first(fields: Fields, ...names: readonly string[]): unknown {
  return names.map((name) => fields[name]).find((value) => value !== undefined && value !== null) ?? null;
}

function memoryId(memory: Fields, text: string): string {
  const id = memory["id"] ?? null;
  return id === null ? fingerprint(text, first(memory, "created_at", "createdAt")) : idPart(String(id as string));
}

function ownId(metadata: Fields): string | null {
  const id = metadata[ownIdField];
  return typeof id === "string" && id !== "" && id.length <= 200 ? id : null;
}

/** A date alone is the last day on which the memory is shown. */
function expiryOf(value: unknown, reading: Reading): number {
  const ms = reading.time(value, "expiration_date");
  return typeof value === "string" && /^\d{4}-\d\d-\d\d$/u.test(value.trim()) ? ms + endOfDayMs : ms;
}

function metadataOf(memory: Fields, given: Fields, reading: Reading): ImportedInteraction["metadata"] {
  const own = describeSource("mem0", {
    user_id: first(memory, "user_id", "userId"),
    agent_id: first(memory, "agent_id", "agentId"),
    run_id: first(memory, "run_id", "runId"),
    app_id: first(memory, "app_id", "appId"),
    categories: memory["categories"],
  });
  const others = Object.entries(given).filter(([key, value]) => key !== ownIdField && value !== null);
  const usable = others.filter(isMetadataField).slice(0, metadataKeyCountMax - Object.keys(own).length);
  reading.skip("metadata fields that are nested or too large", others.length - usable.length);
  return { ...Object.fromEntries(usable), ...own } as ImportedInteraction["metadata"];
}
