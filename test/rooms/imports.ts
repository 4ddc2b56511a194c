/**
 * The import rules of docs/architecture.md: the table there is read here, and every import is held against it. What cannot
 * be resolved from the text alone, such as a module whose name is computed, is refused too.
 */
import { posix } from "node:path";
import { parseSync } from "oxc-parser";
import { tableRows } from "../docs/project-files.js";

export interface Room {
  readonly path: string;
  /** Folders, files, packages and modules of Node it may import. */
  readonly allowed: readonly string[];
}

export function readRooms(): Room[] {
  return tableRows("docs/architecture.md", "Rooms").map(([room, , allowed]) => ({
    path: namesIn(room!)[0]!,
    allowed: namesIn(allowed!),
  }));
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/gu)].map((match) => match[1]!);
}

/** The most specific room that holds a file. */
export function roomOf(file: string, rooms: readonly Room[]): Room | undefined {
  return rooms.filter(({ path }) => file.startsWith(`${path}/`)).toSorted((x, y) => y.path.length - x.path.length)[0];
}

/** What a file imports against the rules, each with the reason. `readSource` reads the files that its constants come from. */
export function findBreaches(
  file: string,
  code: string,
  rooms: readonly Room[],
  readSource: (path: string) => string,
): string[] {
  const room = roomOf(file, rooms);
  if (room === undefined) return [`${file} is in no room`];
  return findImports(file, code, readSource)
    .filter((target) => !isAllowed(target, file, room))
    .map((target) => `${file} may not import ${target}`);
}

function isAllowed(target: string, file: string, { allowed }: Room): boolean {
  if (target === file) return true;
  return allowed.some((name) => {
    if (name === "node:*") return target.startsWith("node:");
    if (!name.startsWith("src/")) return target === name;
    return target === name || (!name.endsWith(".ts") && target.startsWith(`${name}/`));
  });
}

/** Source files, packages and modules of Node that a file imports, in whatever way. */
function findImports(file: string, code: string, readSource: (path: string) => string): string[] {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  const found: string[] = [];
  visit(program, (node) => {
    const source = importedBy(node);
    if (source === undefined) return;
    const name = nameOf(source, code, (constant) => constantOf(constant, file, code, readSource));
    found.push(resolveImport(file, isUrl(node) && !name.startsWith(".") ? `./${name}` : name));
  });
  return found;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

function visit(value: unknown, look: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, look);
  else if (typeof value === "object" && value !== null) {
    if (typeof (value as Partial<Node>).type === "string") look(value as Node);
    for (const part of Object.values(value)) visit(part, look);
  }
}

/** The expression that says what a node imports; undefined where it imports nothing. */
function importedBy(node: Node): Node | undefined {
  const {
    type,
    source,
    callee,
    arguments: given,
  } = node as Node & { source?: Node; callee?: Node; arguments?: Node[] };
  if (/^(?:Import|Export\w+)Declaration$|^ImportExpression$|^TSImportType$/u.test(type)) return source ?? undefined;
  if (type === "CallExpression" && /^require(?:FromPackage)?$/u.test(spell(callee!))) return given![0];
  return isUrl(node) || isOwnFile(node) ? given![0] : undefined;
}

/** A file next to this one, such as a worker. */
function isUrl({ type, callee, arguments: given }: Node): boolean {
  const [first, second] = (given ?? []) as Node[];
  if (type !== "NewExpression" || spell(callee as Node) !== "URL" || second === undefined) return false;
  return spell(second) === "import.meta.url" && String(first!["value"]).endsWith(".js");
}

/** A program or a description of this package, wherever that is installed. */
function isOwnFile({ type, callee, arguments: given }: Node): boolean {
  if (type !== "CallExpression" || spell(callee as Node) !== "packageFile") return false;
  return !String((given as Node[])[0]!["value"]).endsWith(".safetensors");
}

/** Names with dots, as they are written. */
function spell(node: Node): string {
  const { type, name, object, property, meta } = node as Node & Record<"object" | "property" | "meta", Node>;
  if (type === "MetaProperty") return `${spell(meta)}.${spell(property)}`;
  return type === "MemberExpression" ? `${spell(object)}.${spell(property)}` : String(name);
}

function nameOf(source: Node, code: string, readConstant: (name: string) => string | undefined): string {
  if (source.type === "Literal") return String(source["value"]);
  const constant = source.type === "Identifier" ? readConstant(String(source["name"])) : undefined;
  return constant ?? `(computed: ${code.slice(source.start, source.end)})`;
}

/** The module that a constant names, here or in the file it comes from. */
function constantOf(
  name: string,
  file: string,
  code: string,
  readSource: (path: string) => string,
): string | undefined {
  const pattern = new RegExp(`\\bconst ${name}(?:: string)? = "([^"]+)"`, "u");
  const source = new RegExp(`import\\s*\\{[^}]*\\b${name}\\b[^}]*\\}\\s*from\\s*"(\\.[^"]+)"`, "u").exec(code)?.[1];
  const origin = source === undefined ? code : readSource(resolveImport(file, source));
  return pattern.exec(origin)?.[1];
}

function resolveImport(file: string, name: string): string {
  if (name.startsWith("dist/")) return name.replace(/^dist/u, "src").replace(/\.js$/u, ".ts");
  if (name.startsWith(".")) return posix.join(posix.dirname(file), name).replace(/\.js$/u, ".ts");
  if (name.startsWith("node:") || name.startsWith("(")) return name;
  const parts = name.split("/");
  return parts.slice(0, name.startsWith("@") ? 2 : 1).join("/");
}
