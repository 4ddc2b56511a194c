/** Every regular expression of the source: those written out, by parsing; those built, by importing what builds them. */
import { parseSync } from "oxc-parser";
import { listFiles, read } from "../../../../test/docs/project-files.js";

export interface SourcePattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** Calls that make a pattern of a text. */
const builders: ReadonlySet<string> = new Set(["RegExp", "wordPattern"]);
const sources = listFiles("packages").filter((file) => /^packages\/[^/]+\/src\/.*\.tsx?$/u.test(file));

export function writtenPatterns(file: string, code: string): SourcePattern[] {
  const found: SourcePattern[] = [];
  visit(parseSync(file, code).program, (node) => {
    const regex = node["regex"] as { readonly pattern: string; readonly flags: string } | undefined;
    if (node["type"] === "Literal" && regex !== undefined)
      found.push({ file, source: regex.pattern, flags: regex.flags });
  });
  return found;
}

/** Files that build patterns. */
export function findBuilders(): string[] {
  return sources.filter((file) => {
    let isBuilder = false;
    visit(parseSync(file, read(file)).program, (node) => {
      const { name = "" } = (node["callee"] ?? {}) as { readonly name?: string };
      isBuilder ||= builders.has(name);
    });
    return isBuilder;
  });
}

export function allWrittenPatterns(): SourcePattern[] {
  return sources.flatMap((file) => writtenPatterns(file, read(file)));
}

/** What files build when they are first imported, by the file that asked for it. */
export async function builtPatterns(files: readonly string[]): Promise<SourcePattern[]> {
  const found: SourcePattern[] = [];
  const RealRegExp = RegExp;
  globalThis.RegExp = new Proxy(RealRegExp, {
    construct(target, values: [string, string?]) {
      const pattern = new target(...values);
      for (const file of callers(new Error().stack ?? ""))
        found.push({ file, source: pattern.source, flags: pattern.flags });
      return pattern;
    },
  });
  try {
    for (const file of files) await import(/* @vite-ignore */ `../../../../${file}`);
  } finally {
    globalThis.RegExp = RealRegExp;
  }
  return found;
}

/** The source files on a stack. */
function callers(stack: string): ReadonlySet<string> {
  return new Set([...stack.matchAll(/\/(packages\/\w+\/src\/[\w./-]+\.ts)/gu)].map((match) => match[1]!));
}

type Node = Readonly<Record<string, unknown>>;

function visit(value: unknown, see: (node: Node) => void): void {
  if (value === null || typeof value !== "object" || value instanceof RegExp) return;
  if (!Array.isArray(value)) see(value as Node);
  for (const child of Object.values(value)) visit(child, see);
}
