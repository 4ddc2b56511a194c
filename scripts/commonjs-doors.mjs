// The doors of a package (its folder is the argument) for programs in CommonJS, one per entry of `exports`: a file that requires the ES module, so that every class
// exists once whoever loads it, and its types.
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = `${resolve(process.argv[2])}/`;
const doors = findDoors();

removeOutdated();
for (const { default: module, require } of doors) {
  const name = `./${basename(module)}`;
  writeFileSync(root + require.default, program(name));
  // Importing starts nothing.
  const values = await import(pathToFileURL(root + module).href);
  writeFileSync(root + require.types, declarations(name, values));
}

/** Doors of entries that are gone; `npm pack` would include them. */
function removeOutdated() {
  const wanted = new Set(doors.flatMap(({ require }) => [require.default, require.types]));
  for (const path of readdirSync(`${root}dist`, { recursive: true })) {
    if (/\.c[jt]s$/u.test(path) && !wanted.has(`./dist/${path.replaceAll("\\", "/")}`)) rmSync(`${root}dist/${path}`);
  }
}

function findDoors() {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  return Object.values(exports).filter((entry) => typeof entry !== "string" && entry.require !== undefined);
}

/** Node 20.19 and 22.12 are the first to require ES modules without an option. */
function program(name) {
  return `"use strict";
try {
  module.exports = require(${JSON.stringify(name)});
} catch (error) {
  if (error?.code !== "ERR_REQUIRE_ESM") throw error;
  const message =
    "mnemosyne-edge is an ES module. require() loads it from Node 20.19 and 22.12 on, and this is " +
    process.version +
    ': use a newer Node, or write \`await import("mnemosyne-edge")\` instead.';
  throw Object.assign(new Error(message, { cause: error }), { code: error.code });
}
`;
}

/**
 * Types are passed on. What exists when the program runs is declared by its own type, because a declaration in CommonJS
 * may not export values of an ES module under `"module": "node16"`.
 */
function declarations(name, values) {
  const source = `${JSON.stringify(name)} with { "resolution-mode": "import" };`;
  const lines = [`import type * as module from ${source}`, `export type * from ${source}`];
  for (const [value, content] of Object.entries(values)) {
    lines.push(`export declare const ${value}: typeof module.${value};`);
    if (isClass(content)) lines.push(`export type ${value} = module.${value};`);
  }
  return `${lines.join("\n")}\n`;
}

function isClass(value) {
  return typeof value === "function" && /^class\b/u.test(Function.prototype.toString.call(value));
}
