// `npm run test:runtimes`: the packed package on every runtime, in every kind of module and bundle, each committing,
// recalling and forgetting in memory and in an SQLite file. It prints a table and what failed, and ends with 1 if anything
// did. Not part of `npm test`; on Linux x64, where all the binaries are.
//
//   --only "Bun"   the columns whose name has this in it     --no-next   without Next.js, which takes minutes to build
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { build, ensureTestPackage, installPackages } from "../../scripts/setup.mjs";
import { bundles } from "./bundles.mjs";
import { createNextProject, tryNext } from "./next-app.mjs";
import { createProject, installInto, pack, runProgram } from "./project.mjs";
import { isThere, nodeBeforeRequire, runtimes } from "./runtimes.mjs";

const { values: options } = parseArgs({
  options: { only: { type: "string", default: "" }, next: { type: "boolean", default: true } },
  allowNegative: true,
});

installPackages();
build();
for (const name of ["newest-node", "runtimes"]) ensureTestPackage(name);
ensureTestPackage("bundlers", ["install", "--no-save"]);

const columns = runtimes.filter(({ name }) => name.includes(options.only));
const rows = [];
const failures = [];
const packed = pack();
try {
  const project = createProject("project", packed);
  await tryPlain(project);
  await tryBundles(project);
  await tryWithoutRequire(project);
  await tryWithoutOptional();
  if (options.next) await tryStandalone();
} finally {
  rmSync(packed.folder, { recursive: true, force: true });
}
report();

async function tryPlain(project) {
  for (const [title, program, way] of [
    ["ESM", "program.mjs", ""],
    ['ESM, `embedder: "portable"`', "program.mjs", "portable"],
    ["ESM, `lite: true`", "program.mjs", "lite"],
    ["CommonJS", "program.cjs", ""],
  ]) {
    await addRow(title, (runtime) => runProgram(project, runtime, `${project}/${program}`, { WAY: way }));
  }
}

async function tryBundles(project) {
  for (const [title, makeBundle] of bundles) {
    const program = await makeBundle(project);
    await addRow(title, (runtime) => runProgram(project, runtime, program));
  }
}

/** Where `require` refuses ES modules, it has to say what to do; `import` works there. */
async function tryWithoutRequire(project) {
  const refused = await runProgram(project, nodeBeforeRequire, `${project}/program.cjs`);
  const isTold = !refused.isDone && refused.output.includes('write `await import("mnemosyne-edge")` instead');
  addCheck("Node 20.18, CommonJS: says what to do", { isDone: isTold, output: refused.output });
  addCheck("Node 20.18, ESM", await runProgram(project, nodeBeforeRequire, `${project}/program.mjs`));
}

async function tryWithoutOptional() {
  const here = { command: [process.execPath] };
  const project = createProject("without-optional", packed, "--omit=optional");
  const program = `${project}/program.mjs`;
  addCheck("--omit=optional, in memory", await runProgram(project, here, program, { STORES: ":memory:" }));
  const refused = await runProgram(project, here, program, { STORES: "ada.db" });
  const [advice] = /@libsql\/[\w-]+@[\d.]+/u.exec(refused.output) ?? [];
  addCheck("--omit=optional, SQLite: names the missing binary", {
    isDone: advice !== undefined,
    output: refused.output,
  });
  if (advice === undefined) return;
  installInto(project, "--omit=optional", advice);
  addCheck("--omit=optional with that binary, both stores", await runProgram(project, here, program));
}

async function tryStandalone() {
  const project = createNextProject(packed);
  for (const isExternal of [false, true]) {
    const title = `Next.js standalone${isExternal ? ", serverExternalPackages" : ""}`;
    addCheck(title, await tryNext(project, { command: [process.execPath] }, isExternal).catch(toFailure));
  }
}

async function addRow(title, attempt) {
  const cells = [];
  for (const runtime of columns) {
    const result = isThere(runtime) ? await attempt(runtime) : { isDone: false, output: `no ${runtime.command[0]}` };
    note(`${title} on ${runtime.name}`, result);
    cells.push(result.isDone ? "yes" : "NO");
  }
  rows.push([title, ...cells]);
}

function addCheck(title, result) {
  note(title, result);
  rows.push([title, result.isDone ? "yes" : "NO"]);
}

function note(title, { isDone, output }) {
  process.stdout.write(`${isDone ? "✓" : "✗"} ${title}${isDone ? `: ${output.split("\n")[0]}` : ""}\n`);
  if (!isDone) failures.push(`${title}\n${output}`);
}

function toFailure(error) {
  return { isDone: false, output: String(error) };
}

function report() {
  const matrix = rows.filter(({ length }) => length > 2 || columns.length === 1);
  const lines = [["", ...columns.map(({ name }) => name)], ["---", ...columns.map(() => "---")], ...matrix];
  const others = rows.filter((row) => !matrix.includes(row));
  const toLine = (cells) => `| ${cells.join(" | ")} |`;
  process.stdout.write(`\n${lines.map(toLine).join("\n")}\n\n${others.map(toLine).join("\n")}\n`);
  for (const failure of failures) process.stderr.write(`\n✗ ${failure}\n`);
  process.stdout.write(failures.length === 0 ? "\nEverything works.\n" : `\n${failures.length} failed.\n`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
