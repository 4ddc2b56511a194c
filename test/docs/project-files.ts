/** The project's own files, as the tests of documents and of house rules read them. */
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

const leftOut: ReadonlySet<string> = new Set(["node_modules", "dist", "coverage", ".git"]);

/** Paths below a folder, from the root and with forward slashes, in one order. */
export function listFiles(folder: string): string[] {
  const files: string[] = [];
  for (const entry of readdirSync(root + folder, { withFileTypes: true })) {
    if (leftOut.has(entry.name)) continue;
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) files.push(...listFiles(path));
    else files.push(path);
  }
  return files.sort();
}

export function read(path: string): string {
  return readFileSync(root + path, "utf8");
}

/** The documents for people: at the root and in docs. */
export const documents: readonly string[] = listFiles("").filter((path) => /^(?:docs\/)?[^/]+\.md$/u.test(path));

export interface CodeBlock {
  readonly document: string;
  readonly line: number;
  readonly code: string;
}

/** Code blocks of a language, with the line they begin at. */
export function codeBlocks(document: string, language: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  for (const match of read(document).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gmu)) {
    if (match[1] !== language) continue;
    blocks.push({ document, line: read(document).slice(0, match.index).split("\n").length, code: match[2]! });
  }
  return blocks;
}

/** Text without code blocks. */
export function prose(document: string): string {
  return read(document).replaceAll(/^```[\s\S]*?^```$/gmu, "");
}

/** Rows of all tables below a heading, each as its cells; header and ruler are left out. */
export function tableRows(document: string, heading: string): string[][] {
  const [, section] = read(document).split(new RegExp(`^#+ ${heading}.*$`, "mu"));
  if (section === undefined) throw new Error(`${document} has no heading "${heading}"`);
  const [body] = section.split(/^#+ /mu);
  return body!
    .split("\n")
    .filter((line, i, lines) => line.startsWith("|") && !isRuler(line) && !isRuler(lines[i + 1] ?? ""))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function isRuler(line: string): boolean {
  return /^\|[\s:|-]+\|$/u.test(line);
}
