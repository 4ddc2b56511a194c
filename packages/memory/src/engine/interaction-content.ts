/** Whether two interactions are the same: what was said, when, in which state, and what the caller noted about it. */
import { createHash } from "node:crypto";
import { compareIds } from "../graph/memory-node.js";
import type { Interaction, Metadata } from "./records/person-data.js";

/** As a caller names the parts of an interaction. */
export type ContentField = "at" | "turns" | "summary" | "state" | "metadata" | "expiresAt";

type Content = Pick<Interaction, "initMs" | "turns" | "summary" | "state" | "metadata" | "expiresMs">;

/** Each part in a form that is the same text for the same content. */
const forms: Readonly<Record<ContentField, (content: Content) => unknown>> = {
  at: ({ initMs }) => initMs,
  turns: ({ turns }) => turns.map(({ who, text }) => [who, text]),
  summary: ({ summary }) => summary,
  state: ({ state }) => state,
  metadata: ({ metadata }) => inOrder(metadata),
  expiresAt: ({ expiresMs }) => expiresMs,
};

export const contentFields = Object.keys(forms) as readonly ContentField[];

const tagLength = 22;

/** What a memory is made from; the rest can change without making it again. */
const saidFields: readonly ContentField[] = ["at", "turns", "summary", "state"];

/** A short text that is another one whenever any part is, or once was, another. */
export function tagOf(interaction: Interaction): string {
  const parts = contentFields.map((field) => forms[field](interaction));
  return createHash("sha256")
    .update(JSON.stringify([...parts, interaction.versions.length]))
    .digest("base64url")
    .slice(0, tagLength);
}

/** The parts in which two interactions differ. */
export function differingFields(
  one: Content,
  other: Content,
  fields: readonly ContentField[] = contentFields,
): ContentField[] {
  return fields.filter((field) => JSON.stringify(forms[field](one)) !== JSON.stringify(forms[field](other)));
}

/** Whether a memory of one would be a memory of the other. */
export function saysTheSame(one: Content, other: Content): boolean {
  return differingFields(one, other, saidFields).length === 0;
}

function inOrder(metadata: Metadata): [string, unknown][] {
  return Object.entries(metadata).sort(([x], [y]) => compareIds(x, y));
}
