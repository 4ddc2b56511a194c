/**
 * mem0: memories as `get_all` returns them, `{ results: [ … ] }` or a plain list, of the platform (snake case) or of the
 * TypeScript package (camel case). Each memory is a fact and is kept.
 */
import { dayMs } from "../text/time.js";
import {
  type ImportedInteraction,
  type ImportedMetadata,
  describeSource,
  fingerprint,
  idPart,
  isMetadata,
} from "./imported-interaction.js";
import { readJsonValues } from "./json-values.js";
import { type Fields, type Reading, readObject, readOptionalText, readText } from "./reading.js";
import { divideText } from "./sessions.js";

export async function* readMem0(chunks: AsyncIterable<string>, reading: Reading): AsyncGenerator<ImportedInteraction> {
  const { asUser } = reading.settings;
  let onlyUser: string | null = asUser;
  let number = 0;
  for await (const value of readJsonValues(chunks, { list: "$.*", object: "$.results.*" }, reading)) {
    const place = `memory ${++number}`;
    reading.count();
    yield* reading.attempt(place, () => {
      const memory = readObject(value, "the memory");
      const user = readOptionalText(memory["user_id"] ?? memory["userId"], "user_id");
      if (asUser !== null && user !== asUser) {
        reading.skip("memories of other users");
        return [];
      }
      if (user !== "") onlyUser ??= user;
      if (user !== "" && user !== onlyUser) {
        const remedy = "name whose are imported with --as-user (asUser), so that two people do not become one";
        throw reading.refuse(`${place}: memories of several user_ids; ${remedy}`);
      }
      return readMemory(memory, user, reading);
    });
  }
}

function readMemory(memory: Fields, user: string, reading: Reading): ImportedInteraction[] {
  const text = readText(memory["memory"], "memory");
  if (text.trim() === "") {
    reading.skip("empty memories");
    return [];
  }
  const expiry = memory["expiration_date"] ?? memory["expirationDate"] ?? null;
  const expiresAt = expiry === null ? null : expiryOf(expiry, reading);
  if (expiresAt !== null && expiresAt <= Date.now()) {
    reading.skip("expired memories");
    return [];
  }
  const created = memory["created_at"] ?? memory["createdAt"] ?? null;
  const givenId = readOptionalText(memory["id"], "id");
  const id = `mem0-${givenId === "" ? fingerprint(text, created) : idPart(givenId)}`;
  const fact = {
    ...(created === null ? {} : { at: reading.time(created, "created_at") }),
    metadata: metadataOf(memory, user, reading),
    keep: true,
    ...(expiresAt === null ? {} : { expiresAt }),
  };
  return divideText(text, reading.settings.limits.characterCountMax).map((summary, i) => ({
    id: i === 0 ? id : `${id}.${i + 1}`,
    summary,
    ...fact,
  }));
}

/** A date alone is the last day on which the memory is shown. */
function expiryOf(value: unknown, reading: Reading): number {
  const ms = reading.time(value, "expiration_date");
  return typeof value === "string" && /^\d{4}-\d\d-\d\d$/u.test(value.trim()) ? ms + dayMs : ms;
}

const ownFieldCount = 3;
const fieldCountMax = 32;

/** The memory's own as far as they are flat, and whose it is. */
function metadataOf({ metadata, categories }: Fields, user: string, reading: Reading): ImportedMetadata {
  const given = Object.entries((metadata ?? {}) as Fields).filter(([, value]) => value !== null);
  const usable = given.filter(([key, value]) => isMetadata({ [key]: value })).slice(0, fieldCountMax - ownFieldCount);
  reading.skip("metadata fields that are nested or too large", given.length - usable.length);
  const ofMem0 = { ...(user === "" ? {} : { user_id: user }), ...(categories == null ? {} : { categories }) };
  return {
    ...Object.fromEntries(usable),
    ...describeSource("mem0"),
    ...(isMetadata(ofMem0) ? ofMem0 : {}),
  } as ImportedMetadata;
}
