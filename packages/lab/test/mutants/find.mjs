// Finds the mutants of a room: every small change of its sources that could make a difference. Left out are types, what a
// `throw` or a log says, reasons that explain a choice.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";
import { mutationsOf } from "./mutators.mjs";

export const root = fileURLToPath(new URL("../../../../", import.meta.url));
export const rooms = ["core", "engine"];
/** Calls whose arguments are wording only. */
const wordings = /(?:^|\.)(?:log|logFailures)$/u;

export function sourcesOf(room) {
  return filesIn(`src/${room}`, ".ts").filter((file) => !excluded.has(file));
}

/** Files below a folder of the project, sorted, by the end of their names. */
export function filesIn(folder, ending) {
  return readdirSync(root + folder, { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .toSorted();
}

/** The mutants of a file in the order of the source. An id stays the same while the line and its function do. */
export function findMutants(file) {
  return mutantsOf(file, readFileSync(root + file, "utf8"));
}

export function mutantsOf(file, code) {
  const found = [];
  visit(parse(file, code), [], (node, parents) => {
    for (const mutation of mutationsOf(node, parents, code)) found.push({ ...mutation, place: placeOf(parents, node) });
  });
  const seen = new Map();
  return found
    .toSorted((x, y) => x.start - y.start || x.end - y.end)
    .filter(({ start, end, text }) => code.slice(start, end) !== text)
    .map((mutation) => describeMutant(file, code, mutation, seen))
    .filter((mutant, index, all) => all.findIndex(({ mutated }) => mutated === mutant.mutated) === index);
}

export function parse(file, code) {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return program;
}

/** Every node that runs, with the nodes around it. Of types nothing runs. */
export function visit(node, parents, look) {
  if (Array.isArray(node)) for (const item of node) visit(item, parents, look);
  if (Array.isArray(node) || node === null || typeof node !== "object" || typeof node.type !== "string") return;
  if (/^TS(?!AsExpression|NonNullExpression|SatisfiesExpression)/u.test(node.type)) return;
  if (node.type === "ThrowStatement" || isWording(node)) return;
  if (node.type === "ImportDeclaration" || node.type.startsWith("ExportAll")) return;
  look(node, parents);
  const inside = [...parents, node];
  for (const [name, part] of Object.entries(node)) {
    if (name === "typeAnnotation" || name === "typeArguments" || name === "returnType") continue;
    if (name === "key" && !node.computed) continue;
    visit(part, inside, look);
  }
}

function isWording({ type, callee }) {
  if (type !== "CallExpression" && type !== "NewExpression") return false;
  const name = callee.type === "MemberExpression" ? `.${callee.property.name}` : callee.name;
  return wordings.test(name ?? "") || (type === "NewExpression" && name?.endsWith("Error"));
}

export function isFunction({ type }) {
  return /^(?:ArrowFunction|Function)(?:Expression|Declaration)$/u.test(type);
}

/** Where the innermost function around a node starts, or -1 for what runs when the module is loaded. */
function placeOf(parents, node) {
  // Parameters belong to the function; the function itself, as a value, to what is around it.
  return parents.findLast((parent) => parent !== node && isFunction(parent))?.start ?? -1;
}

function describeMutant(file, code, { start, end, text, name, place }, seen) {
  const original = code.slice(start, end);
  const line = code.slice(0, start).split("\n").length;
  const lineText = code.split("\n")[line - 1].trim();
  const key = [file, lineText, oneLine(original), oneLine(text)].join("\n");
  const count = (seen.get(key) ?? 0) + 1;
  seen.set(key, count);
  const id = createHash("sha256").update(`${key}\n${count}`).digest("hex").slice(0, 8);
  const mutated = code.slice(0, start) + text + code.slice(end);
  return { id, file, line, place, name, original: oneLine(original), replacement: oneLine(text), mutated };
}

function oneLine(text) {
  return text.replace(/\s+/gu, " ");
}
