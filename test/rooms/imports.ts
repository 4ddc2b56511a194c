/** The rooms of docs/architecture.md, and the imports that break their rules. */
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { parseSync } from "oxc-parser";
import { root, tableRows } from "../docs/project-files.js";

export interface Room {
  readonly name: string;
  /** Folders and files, from the root. */
  readonly paths: readonly string[];
  /** Names of other rooms, packages and modules of Node. */
  readonly allowed: readonly string[];
}

export function readRooms(): Room[] {
  return tableRows("docs/architecture.md", "Rooms").map(([name, paths, , allowed]) => ({
    name: namesIn(name!)[0]!,
    paths: namesIn(paths!).map((path) => `packages/${path}`),
    allowed: namesIn(allowed!),
  }));
}

/** What stands in code marks. */
export function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/gu)].map((match) => match[1]!);
}

/** The room with the most specific path around a file. */
export function roomOf(file: string, rooms: readonly Room[]): Room | undefined {
  const isAround = (path: string): boolean => file === path || file.startsWith(`${path}/`);
  const places = rooms.flatMap((room) => room.paths.filter(isAround).map((path) => ({ room, path })));
  return places.toSorted((x, y) => y.path.length - x.path.length)[0]?.room;
}

/** Imports of a file that its room does not allow. */
export function findBreaches(file: string, code: string, rooms: readonly Room[]): string[] {
  const room = roomOf(file, rooms);
  if (room === undefined) return [`${file} is in no room`];
  return importsOf(file, code)
    .map((name) => targetOf(name, file, rooms))
    .filter((target) => target !== room.name && !isAllowed(target, room.allowed))
    .map((target) => `${file} may not import ${target}`);
}

function isAllowed(target: string, allowed: readonly string[]): boolean {
  return allowed.some((name) => (name === "node:*" ? target.startsWith("node:") : target === name));
}

/** Names in import and export declarations and in calls of `import`; a computed one stays as it is written. */
function importsOf(file: string, code: string): string[] {
  const { module, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.map(({ moduleRequest }) => moduleRequest?.value),
  );
  const called = module.dynamicImports.map(({ moduleRequest: { start, end } }) => code.slice(start, end));
  const imported = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  return [...imported, ...exported.filter((name) => name !== undefined), ...called.map((name) => valueOf(name, code))];
}

/** Optional packages have their names in constants, which compilers do not resolve. */
function valueOf(written: string, code: string): string {
  if (written.startsWith('"')) return written.slice(1, -1);
  if (!/^\w+$/u.test(written)) return written;
  return new RegExp(`\\bconst ${written}: string = "([^"]+)"`, "u").exec(code)?.[1] ?? written;
}

const packages = Object.fromEntries(
  ["memory", "server"].map((folder) => {
    const description = readFileSync(`${root}packages/${folder}/package.json`, "utf8");
    return [(JSON.parse(description) as { name: string }).name, folder];
  }),
);

/** A room, a package or a module of Node. */
function targetOf(name: string, file: string, rooms: readonly Room[]): string {
  if (name.startsWith("node:")) return name;
  const path = name.startsWith(".") ? posix.join(posix.dirname(file), name) : ownFile(name);
  if (path !== undefined) return roomOf(path.replace(/\.js$/u, ".ts"), rooms)?.name ?? path;
  const parts = name.split("/");
  return parts.slice(0, name.startsWith("@") ? 2 : 1).join("/");
}

/** A file of another package of this project. */
function ownFile(name: string): string | undefined {
  const [, owner, rest] = /^(mnemosyne-edge(?:-server)?)(?:\/(.*))?$/u.exec(name) ?? [];
  const folder = owner === undefined ? undefined : packages[owner];
  if (folder === undefined) return undefined;
  return `packages/${folder}/src/${/^internal\/(.*)$/u.exec(rest ?? "")?.[1] ?? "index.js"}`;
}

/** Groups of folders that import each other in a circle; a folder and one inside it may. */
export function findFolderCycles(files: readonly (readonly [file: string, code: string])[]): string[] {
  const imports = new Map<string, Set<string>>();
  for (const [file, code] of files) {
    const folder = posix.dirname(file);
    for (const name of importsOf(file, code).filter((each) => each.startsWith("."))) {
      const other = posix.dirname(posix.join(folder, name));
      const isInside = `${folder}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${folder}/`);
      if (!isInside) imports.set(folder, (imports.get(folder) ?? new Set()).add(other));
    }
  }
  const reachedFrom = (start: string): Set<string> => {
    const reached = new Set<string>();
    const waiting = [start];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for (const next of imports.get(folder) ?? []) {
        if (reached.has(next)) continue;
        reached.add(next);
        waiting.push(next);
      }
    }
    return reached;
  };
  const reach = new Map([...imports.keys()].map((folder) => [folder, reachedFrom(folder)]));
  const circles = [...reach].flatMap(([folder, reached]) =>
    reached.has(folder)
      ? [
          [...reached]
            .filter((other) => reach.get(other)?.has(folder))
            .toSorted()
            .join(", "),
        ]
      : [],
  );
  return [...new Set(circles)].toSorted();
}
