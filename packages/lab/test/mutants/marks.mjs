// Marks every function of a source, so that a test run tells which of them it enters. A mark is the file and the place where
// the function starts; -1 is the module itself.
import { isFunction, parse, visit } from "./find.mjs";

export function markFunctions(file, code) {
  const inserts = [];
  visit(parse(file, code), [], (node) => {
    if (!isFunction(node) || node.body === null) return;
    const { body } = node;
    const mark = `globalThis.mutantMarks?.add("${file}:${node.start}")`;
    if (body.type === "BlockStatement") inserts.push([body.start + 1, `${mark};`]);
    else inserts.push([body.start, `(${mark},`], [body.end, ")"]);
  });
  let marked = code;
  // From the end, so that places before it stay. Where two meet, the inner one's bracket closes first.
  const fromEnd = inserts.toSorted(([x, a], [y, b]) => y - x || (a === ")" ? 0 : 1) - (b === ")" ? 0 : 1));
  for (const [at, text] of fromEnd) marked = marked.slice(0, at) + text + marked.slice(at);
  return `${marked}\nglobalThis.mutantMarks?.add("${file}:-1");\n`;
}
