/** Namespaces as names of persons and keys as ids, both reversible or found again by what is stored with the item. */
import { createHash } from "node:crypto";
import { InputError } from "../../errors.js";
import type { ListNamespacesOperation, MatchCondition } from "./store-types.js";

/** Whoever has a name that begins like this is a namespace of LangGraph. */
const personPrefix = "langgraph/";
const personLengthMax = 200;
const idLengthMax = 200;
const idHashPrefix = "sha256:";

/** What a name or an id must not contain, and what separates or escapes labels. */
// eslint-disable-next-line no-control-regex -- finding control characters is the point
const escapedPattern = /[%/\u0000-\u001f\u007f]|\p{Surrogate}/gu;

export function personName(namespace: readonly string[]): string {
  checkLabels(namespace);
  const name = personPrefix + namespace.map(escapeLabel).join("/");
  if (name.length <= personLengthMax) return name;
  throw new InputError(
    "person_invalid",
    `the namespace ${JSON.stringify(namespace)} takes ${name.length} characters; it may take ${personLengthMax}, with a separator for each label`,
  );
}

/** Null for somebody who is not a namespace. */
export function namespaceOf(person: string): string[] | null {
  if (!person.startsWith(personPrefix)) return null;
  return person.slice(personPrefix.length).split("/").map(unescapeLabel);
}

/** What LangGraph's own `put` refuses. */
export function checkNamespace(namespace: readonly string[]): void {
  checkLabels(namespace);
  for (const label of namespace) {
    if (label === "") throw refusal(namespace, "has an empty label");
    if (label.includes(".")) throw refusal(namespace, `has a label with a period, ${JSON.stringify(label)}`);
  }
  if (namespace[0] === "langgraph") throw refusal(namespace, 'begins with "langgraph", which is reserved');
}

function checkLabels(namespace: readonly string[]): void {
  if (!Array.isArray(namespace) || namespace.length === 0) throw refusal(namespace, "is empty");
  if (!namespace.every((label) => typeof label === "string")) {
    throw refusal(namespace, "has a label that is not text");
  }
}

function refusal(namespace: readonly string[], what: string): InputError {
  return new InputError("option_invalid", `the namespace ${JSON.stringify(namespace)} ${what}; choose other labels`);
}

function escapeLabel(label: string): string {
  return label.replace(escapedPattern, (character) => `%${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function unescapeLabel(text: string): string {
  return text.replaceAll(/%([0-9a-f]{4})/gu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** The key itself where it can be an id, or else its hash. */
export function idOf(key: string): string {
  if (typeof key !== "string") throw new InputError("id_invalid", `the key ${String(key)} must be text`);
  escapedPattern.lastIndex = 0;
  const isUsable =
    key.trim() !== "" &&
    key.length <= idLengthMax &&
    !key.startsWith(idHashPrefix) &&
    // eslint-disable-next-line no-control-regex -- finding control characters is the point
    !/[\u0000-\u001f\u007f]|\p{Surrogate}/u.test(key);
  return isUsable ? key : idHashPrefix + createHash("sha256").update(JSON.stringify(key)).digest("hex");
}

/** Whether the namespace begins with these labels; LangGraph's own store in memory compares letters, not labels. */
export function isBelow(namespace: readonly string[], prefix: readonly string[]): boolean {
  return matches(namespace, { matchType: "prefix", path: [...prefix] }, false);
}

/** Of all namespaces those that are asked for, sorted. */
export function selectNamespaces(
  namespaces: readonly string[][],
  { matchConditions = [], maxDepth, limit, offset }: ListNamespacesOperation,
): string[][] {
  const matching = namespaces.filter((namespace) =>
    matchConditions.every((condition) => matches(namespace, condition)),
  );
  const cut = new Map(
    matching.map((namespace) => namespace.slice(0, maxDepth)).map((cut) => [JSON.stringify(cut), cut]),
  );
  const start = offset ?? 0;
  return [...cut.values()].sort(compareLabels).slice(start, start + (limit ?? cut.size));
}

function matches(namespace: readonly string[], { matchType, path }: MatchCondition, hasWildcards = true): boolean {
  if (matchType !== "prefix" && matchType !== "suffix") {
    throw new InputError("option_invalid", `there is no match type ${JSON.stringify(matchType)}; use prefix or suffix`);
  }
  const start = matchType === "prefix" ? 0 : namespace.length - path.length;
  if (start < 0 || path.length > namespace.length) return false;
  return path.every((label, i) => (hasWildcards && label === "*") || namespace[start + i] === label);
}

function compareLabels(x: readonly string[], y: readonly string[]): number {
  const [a, b] = [x.join(":"), y.join(":")];
  return a < b ? -1 : a > b ? 1 : 0;
}
