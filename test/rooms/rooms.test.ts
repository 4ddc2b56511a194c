/** Every import keeps to the table of rooms in docs/architecture.md. */
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { listFiles, read, root } from "../docs/project-files.js";
import { findBreaches, findFolderCycles, namesIn, readRooms, roomOf } from "./imports.js";

const rooms = readRooms();
const sources = ["memory", "server", "lab"]
  .flatMap((name) => listFiles(`packages/${name}/src`))
  .filter((path) => /\.tsx?$/u.test(path));

it("rooms exist, and import only rooms above them in the table: there are no cycles", () => {
  expect(rooms.flatMap(({ paths }) => paths).filter((path) => !existsSync(root + path))).toEqual([]);
  const names = rooms.map(({ name }) => name);
  const upwards = rooms.flatMap(({ name, allowed }, i) =>
    allowed.filter((other) => names.indexOf(other) >= i).map((other) => `${name}: ${other}`),
  );
  expect(upwards).toEqual([]);
});

const readmeLinesMax = 10;

it("every source file is in a room, and every folder has a README of a few lines", () => {
  const folders = [...new Set(sources.map((path) => path.slice(0, path.lastIndexOf("/"))))];
  const described = folders.filter((folder) => !folder.endsWith("/src"));
  expect(described.filter((folder) => !existsSync(`${root}${folder}/README.md`))).toEqual([]);
  const isLong = (folder: string): boolean => read(`${folder}/README.md`).trim().split("\n").length > readmeLinesMax;
  expect(described.filter(isLong)).toEqual([]);
  expect(sources.filter((path) => roomOf(path, rooms) === undefined)).toEqual([]);
});

it("the README of a room says what the room may import, as the table does", () => {
  const folders = rooms.flatMap(({ paths, allowed }) =>
    paths.filter((path) => existsSync(`${root}${path}/README.md`)).map((path) => ({ path, allowed })),
  );
  expect(folders.length).toBeGreaterThan(20);
  const wrong = folders.filter(({ path, allowed }) => {
    const [, named = ""] = /^May import (.*)$/mu.exec(read(`${path}/README.md`)) ?? [];
    return namesIn(named).join() !== allowed.join();
  });
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

it("no import breaks a rule", () => {
  expect(sources.flatMap((path) => findBreaches(path, read(path), rooms))).toEqual([]);
});

/** What a commit does must not depend on what a recall does, nor the other way round: they meet in a person's state. */
const apart = ["commit", "recall", "core", "upkeep"];

it("commit, recall, core and upkeep never import each other", () => {
  const allowed = rooms.filter(({ name }) => apart.includes(name)).map((room) => [room.name, room.allowed] as const);
  expect(allowed.map(([name]) => name)).toEqual(apart);
  expect(allowed.flatMap(([, names]) => names.filter((name) => apart.includes(name)))).toEqual([]);
  const files = ["commit/commit", "recall/recall", "core/core", "upkeep/forgetting"];
  for (const [i, room] of apart.entries()) {
    const planted = `import { a } from "../${files[(i + 1) % files.length]}.js";`;
    const probe = `packages/memory/src/${room}/probe.ts`;
    expect(findBreaches(probe, planted, rooms)).toEqual([`${probe} may not import ${apart[(i + 1) % apart.length]}`]);
  }
});

/** Two folders, but one room: the graph is scanned with the formulas of the paper, which are about the graph. */
const knownCircles = ["packages/memory/src/graph, packages/memory/src/paper"];

it("folders do not import each other in a circle", () => {
  expect(findFolderCycles(sources.map((path) => [path, read(path)]))).toEqual(knownCircles);
  const circle = [
    ["src/a/one.ts", 'import "../b/two.js";'],
    ["src/b/two.ts", 'export * from "../c/three.js";'],
    ["src/c/three.ts", 'import type { One } from "../a/one.js";'],
    ["src/c/d/four.ts", 'import "../three.js";'],
  ] as const;
  expect(findFolderCycles(circle)).toEqual(["src/a, src/b, src/c"]);
});

it("the library imports no package for HTTP or the command line, and declares none", () => {
  const { dependencies } = JSON.parse(read("packages/memory/package.json")) as { dependencies: object };
  const allowed = rooms
    .filter(({ paths }) => paths.every((path) => path.startsWith("packages/memory/")))
    .flatMap((room) => room.allowed);
  const others = /^(?:hono|@hono\/.*|express|fastify|commander|picocolors|@modelcontextprotocol\/.*|node:https?)$/u;
  expect([...Object.keys(dependencies), ...allowed].filter((name) => others.test(name))).toEqual([]);
});

it.each([
  ["packages/memory/src/paper/probe.ts", 'import { a } from "node:fs";'],
  ["packages/memory/src/engine/probe.ts", 'export * from "../adapters/reader/bundled-reader.js";'],
  ["packages/memory/src/engine/probe.ts", "await import(`${folder}/decay.js`);"],
  ["packages/memory/src/engine/probe.ts", 'import type { A } from "../reader/reading-queue.js";'],
  ["packages/memory/src/doors/probe.ts", 'import type { A } from "hono";'],
  ["packages/server/src/client/probe.ts", 'import { a } from "mnemosyne-edge/internal/recall/recall.js";'],
])("a breach in %s is noticed: %s", (file, code) => {
  expect(findBreaches(file, code, rooms)).toHaveLength(1);
});
