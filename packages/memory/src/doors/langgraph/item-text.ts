/**
 * The text by which an item is found: what its value says at the paths of `index`, or everything in it. Paths are
 * LangGraph's: "title", "chapters[*].content", "a[0]", "*", "{title,author}", and "$" for the whole value.
 */

/** Of an item; the value itself is stored whole. */
const textLengthMax = 20_000;

/** Empty if the value says nothing there, or nothing is to be searched. */
export function textOf(value: unknown, index: false | readonly string[] | undefined | null): string {
  if (index === false) return "";
  const paths = index ?? ["$"];
  const texts = paths.flatMap((path) =>
    path === "$" || path === "" ? [describe(value)] : textsAt(value, tokens(path)),
  );
  const text = texts.filter((text) => text.trim() !== "").join("\n");
  return text.slice(0, textLengthMax).toWellFormed().replaceAll("\0", " ").trim();
}

function tokens(path: string): string[] {
  return path.match(/\[[^[\]]*\]|\{[^{}]*\}|[^.[{]+/gu) ?? [];
}

function textsAt(value: unknown, [token, ...rest]: readonly string[]): string[] {
  if (token === undefined) return [describe(value)];
  if (token.startsWith("{")) {
    const paths = token.slice(1, -1).split(",");
    return paths.flatMap((path) => textsAt(value, [...tokens(path.trim()), ...rest]));
  }
  return childrenAt(value, token).flatMap((child) => textsAt(child, rest));
}

function childrenAt(value: unknown, token: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  if (token === "*") return Object.values(value);
  if (!token.startsWith("[")) return Object.hasOwn(value, token) ? [(value as Record<string, unknown>)[token]] : [];
  if (!Array.isArray(value)) return [];
  const place = token.slice(1, -1);
  if (place === "*") return value;
  const child: unknown = value.at(Number.parseInt(place, 10));
  return child === undefined ? [] : [child];
}

/** What a value says: its one text, or each with its name. */
function describe(value: unknown): string {
  const leaves = leavesOf(value, "");
  if (leaves.length === 1) return leaves[0]!.text;
  return leaves.map(({ name, text }) => (name === "" ? text : `${name}: ${text}`)).join("\n");
}

function leavesOf(value: unknown, name: string): { readonly name: string; readonly text: string }[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, name));
  if (typeof value === "object") return Object.entries(value).flatMap(([key, content]) => leavesOf(content, key));
  return [{ name, text: String(value) }];
}
