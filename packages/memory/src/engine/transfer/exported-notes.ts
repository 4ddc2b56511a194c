/** What an export says about an interaction besides what was said: metadata, expiry, earlier versions. None is trusted. */
import { type Metadata, noMetadata } from "../../core/graph/metadata.js";
import { InputError } from "../../errors.js";
import type { Interaction, InteractionVersion } from "../../ports/store.js";
import { describeName, isList, readFields } from "../given-values.js";
import { parseMetadata } from "../interaction-metadata.js";
import { isMoment, noLimits, parseAddedTurn } from "../interaction.js";

type Notes = Pick<Interaction, "metadata" | "expiresMs">;

export function readNotes({ metadata, expiresMs = null }: Readonly<Record<string, unknown>>): Notes {
  if (expiresMs !== null && !isMoment(expiresMs)) return refuse(`expiresMs is ${describeName(expiresMs)}, not a time`);
  return { metadata: readMetadata(metadata), expiresMs };
}

export function readVersions(versions: unknown): InteractionVersion[] {
  return isList(versions) ? versions.map(readVersion) : refuse("versions is not a list");
}

export const versionFields = ["replacedMs", "initMs", "turns", "summary", "state", "metadata"] as const;

function readVersion(version: unknown): InteractionVersion {
  const fields = readFields(version, versionFields, "a version", "import_invalid");
  const { replacedMs, initMs, turns, summary, state, metadata } = fields;
  if (!isMoment(replacedMs) || !isMoment(initMs)) return refuse("a version needs replacedMs and initMs");
  if (!isList(turns)) return refuse("turns of a version is not a list");
  if (!isTextOrNull(summary) || !isTextOrNull(state)) return refuse("summary or state of a version is not text");
  const said = turns.map((turn) => parseAddedTurn(turn as Interaction["turns"][number], noLimits));
  return { replacedMs, initMs, turns: said, summary, state, metadata: readMetadata(metadata) };
}

function readMetadata(metadata: unknown): Metadata {
  return metadata === undefined ? noMetadata : parseMetadata(metadata, () => {});
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || (typeof value === "string" && value.isWellFormed());
}

function refuse(reason: string): never {
  throw new InputError("import_invalid", reason);
}
