/** What the package declares, read from the built `.d.ts` files: exports, declarations, and the members of classes. */
import { posix } from "node:path";
import { parseSync } from "oxc-parser";
import { read } from "./project-files.js";

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

interface Named extends Node {
  readonly name?: string;
  readonly value?: string;
}

export interface Declaration {
  readonly name: string;
  readonly kind: "class" | "function" | "const" | "interface" | "type";
  /** Whole, without `export`. */
  readonly text: string;
  readonly members: readonly { readonly name: string; readonly text: string }[];
}

export interface Export {
  readonly name: string;
  readonly isType: boolean;
}

const kinds: Readonly<Record<string, Declaration["kind"]>> = {
  ClassDeclaration: "class",
  TSDeclareFunction: "function",
  FunctionDeclaration: "function",
  VariableDeclaration: "const",
  TSInterfaceDeclaration: "interface",
  TSTypeAliasDeclaration: "type",
};

/** The same code is the same text, however it is laid out and whatever its comments say. */
export function normalize(code: string): string {
  return code
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gmu, "")
    .replaceAll(/\s+/gu, "")
    .replaceAll(/[;,](?=[})])/gu, "")
    .replaceAll(/(?<=[=:<(])\|/gu, "")
    .replace(/^(?:export)?(?:declare)?/u, "")
    .replace(/;$/u, "");
}

/** Everything that a built file declares. */
export function declarationsOf(file: string): Declaration[] {
  const code = read(file);
  return statementsOf(file).flatMap((statement) => {
    const declared = (statement["declaration"] as Node | null | undefined) ?? statement;
    const kind = kinds[declared.type];
    return kind === undefined ? [] : [describe(declared, kind, code)];
  });
}

function describe(node: Node, kind: Declaration["kind"], code: string): Declaration {
  const [variable] = (node["declarations"] as Node[] | undefined) ?? [];
  const { name } = (node["id"] ?? variable!["id"]) as Named;
  const body = kind === "class" ? ((node["body"] as Node)["body"] as Node[]) : [];
  const members = body
    .filter(({ key, kind: memberKind, accessibility }) => {
      const { type } = (key ?? {}) as Named;
      return type === "Identifier" && memberKind !== "constructor" && accessibility !== "private";
    })
    .map((member) => ({ name: (member["key"] as Named).name!, text: code.slice(member.start, member.end) }));
  return { name: name!, kind, text: code.slice(node.start, node.end), members };
}

/** What a built file exports, with what it passes on from others. */
export function exportsOf(file: string): Export[] {
  return statementsOf(file).flatMap((statement) => {
    const { type, exportKind, declaration, specifiers, source } = statement as Node & {
      exportKind?: string;
      declaration?: Node | null;
      specifiers?: readonly (Node & { exported: Named; exportKind?: string })[];
      source?: Named | null;
    };
    if (type === "ExportAllDeclaration") return exportsOf(resolve(file, source!.value!)).filter(({ isType }) => isType);
    if (type !== "ExportNamedDeclaration") return [];
    if (declaration != null) {
      const kind = kinds[declaration.type];
      if (kind === undefined) return [];
      const { name } = describe(declaration, kind, read(file));
      return [{ name, isType: kind === "interface" || kind === "type" }];
    }
    return specifiers!.map(({ exported, exportKind: own }) => ({
      name: exported.name!,
      isType: exportKind === "type" || own === "type",
    }));
  });
}

function statementsOf(file: string): Node[] {
  const { program, errors } = parseSync(file, read(file));
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  return program.body as unknown as Node[];
}

function resolve(file: string, name: string): string {
  return posix.join(posix.dirname(file), name).replace(/\.js$/u, ".d.ts");
}
