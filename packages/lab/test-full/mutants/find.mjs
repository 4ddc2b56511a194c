// Finds the mutants of a room: every small change of its sources that could make a difference. Left out are types, and what
// a `throw` or a log says. Draws some of them by a seed.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";
import { Random } from "../torture/random.mjs";
import { mutationsOf } from "./mutators.mjs";

const memory = fileURLToPath(new URL("../../../memory/", import.meta.url));

/** Sources by room, and the tests that have to notice a change in them. */
export const rooms = {
  paper: { source: "src/paper", tests: ["test/paper/"] },
  reader: { source: "src/reader", tests: ["test/reader/"] },
  commit: {
    source: "src/commit",
    tests: ["test/commit/", "test/api/statement-names.test.ts", "test/api/update.test.ts"],
  },
  recall: {
    source: "src/recall",
    tests: ["test/recall/", "test/engine/linked-memories.test.ts", "test/api/filters.test.ts"],
  },
  core: { source: "src/core", tests: ["test/core/"] },
};

/** Calls whose arguments are wording only. */
const wordings = /(?:^|\.)(?:log|logFailures)$/u;

export function findMutants(room) {
  const folder = join(memory, rooms[room].source);
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".ts"));
  return files.toSorted().flatMap((name) => mutantsOf(join(folder, name), readFileSync(join(folder, name), "utf8")));
}

/** In the order of the source, each change once. */
export function mutantsOf(file, code) {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const found = new Map();
  visit(program, [], (node, parents) => {
    for (const { start, end, text } of mutationsOf(node, parents, code)) {
      const original = code.slice(start, end);
      const mutated = code.slice(0, start) + text + code.slice(end);
      const line = code.slice(0, start).split("\n").length;
      if (original !== text)
        found.set(mutated, { file, line, start, change: `${shorten(original)} → ${shorten(text)}`, mutated });
    }
  });
  return [...found.values()].toSorted((a, b) => a.start - b.start);
}

/** Every node that runs, with the nodes around it. Of types nothing runs. */
function visit(node, parents, look) {
  if (Array.isArray(node)) for (const item of node) visit(item, parents, look);
  if (Array.isArray(node) || node === null || typeof node !== "object" || typeof node.type !== "string") return;
  if (/^TS(?!AsExpression|NonNullExpression|SatisfiesExpression)/u.test(node.type)) return;
  if (/^(?:ThrowStatement|ImportDeclaration|ExportAll)/u.test(node.type) || isWording(node)) return;
  look(node, parents);
  for (const [name, part] of Object.entries(node)) {
    const isType = name === "typeAnnotation" || name === "typeArguments" || name === "returnType";
    if (!isType && (name !== "key" || node.computed)) visit(part, [...parents, node], look);
  }
}

function isWording({ type, callee }) {
  if (type !== "CallExpression" && type !== "NewExpression") return false;
  const name = (callee.type === "MemberExpression" ? `.${callee.property.name}` : callee.name) ?? "";
  return wordings.test(name) || (type === "NewExpression" && name.endsWith("Error"));
}

function shorten(text) {
  const line = text.replace(/\s+/gu, " ");
  return line.length > 60 ? `${line.slice(0, 28)} … ${line.slice(-28)}` : line;
}

/** The same for the same seed. */
export function drawMutants(mutants, count, seed) {
  return new Random(`mutants ${seed}`).shuffle(mutants).slice(0, count);
}
