/** Every import keeps to the table of rooms in docs/architecture.md. */
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { listFiles, read, root } from "../docs/project-files.js";
import { findBreaches, findFolderCycles, readRooms, roomOf } from "./imports.js";

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

it("every source file is in a room, and every folder has a README", () => {
  const folders = new Set(sources.map((path) => path.slice(0, path.lastIndexOf("/"))));
  const bare = [...folders].filter((folder) => !folder.endsWith("/src") && !existsSync(`${root}${folder}/README.md`));
  expect(bare).toEqual([]);
  expect(sources.filter((path) => roomOf(path, rooms) === undefined)).toEqual([]);
});

it("no import breaks a rule", () => {
  expect(sources.flatMap((path) => findBreaches(path, read(path), rooms))).toEqual([]);
});

/** Circles that are still there; no other may come. */
const knownCircles = [
  "packages/memory/src/graph, packages/memory/src/paper",
  ["commitment", "core-summary", "language-model"].map((name) => `packages/memory/src/engine/${name}`).join(", "),
];

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
  ["packages/memory/src/engine/probe.ts", 'export * from "../adapters/judge/bundled-reader.js";'],
  ["packages/memory/src/engine/probe.ts", "await import(`${folder}/decay.js`);"],
  ["packages/memory/src/doors/probe.ts", 'import type { A } from "hono";'],
  ["packages/server/src/client/probe.ts", 'import { a } from "mnemosyne-edge/internal/recall/recall.js";'],
])("a breach in %s is noticed: %s", (file, code) => {
  expect(findBreaches(file, code, rooms)).toHaveLength(1);
});
