/** The API reference is complete, and its signatures are those of the built declarations. */
import { describe, expect, it } from "vitest";
import { type Declaration, builtFiles, declarationsOf, exportsOf, normalize } from "./declarations.js";
import { read, tableRows } from "./project-files.js";

const page = "docs/api.md";
const text = read(page);
const declarations = builtFiles().flatMap(declarationsOf);
const exported = exportsOf("dist/index.d.ts");

const { exports: entries } = JSON.parse(read("package.json")) as {
  exports: Record<string, string | { readonly types: string }>;
};
const entryFiles = Object.entries(entries).flatMap(([name, entry]) =>
  typeof entry === "string" ? [] : [[name, entry.types.slice(2)] as const],
);

/** Signatures of a part of the page: the pieces of its `typescript` blocks, which blank lines divide. */
function signatures(part: string): string[] {
  return [...part.matchAll(/^```typescript\n([\s\S]*?)^```$/gmu)].flatMap((match) =>
    match[1]!
      .split(/\n\n/u)
      .map((piece) => piece.trim())
      .filter((piece) => piece !== ""),
  );
}

function section(heading: string): string {
  const [, rest] = text.split(new RegExp(`^## ${heading}$`, "mu"));
  if (rest === undefined) throw new Error(`${page} has no heading "${heading}"`);
  return rest.split(/^## /mu)[0]!;
}

function isNamed(name: string): boolean {
  const places = [`\`${name}\\b[^\`]*\``, `^(?:declare )?(?:interface|type|const|function) ${name}\\b`, `^## ${name}$`];
  return new RegExp(places.join("|"), "mu").test(text);
}

const classes = ["Mnemosyne", "PersonMemory", "Conversation"];

describe.each(classes)("%s", (name) => {
  const { members } = declarations.find((declared) => declared.kind === "class" && declared.name === name)!;
  const shown = signatures(section(name));

  it("has members", () => expect(members.length).toBeGreaterThan(4));

  it.each(members.map((member) => [member.name, member] as const))("%s is shown with its signature", (_, member) => {
    expect(shown.map(normalize)).toContain(normalize(member.text));
  });

  it("is shown with nothing else", () => {
    const known = new Set(members.map((member) => normalize(member.text)));
    expect(shown.filter((signature) => !known.has(normalize(signature)))).toEqual([]);
  });

  it.each(members.map((member) => member.name))("%s has a heading of its own", (member) => {
    expect(section(name)).toMatch(new RegExp(`^### (?:\\w+\\.)?${member}$`, "mu"));
  });
});

describe("exports", () => {
  it("are there", () => {
    expect(exported.length).toBeGreaterThan(60);
    expect(exported.map(({ name }) => name)).toEqual(expect.arrayContaining(["Mnemosyne", "Batch", "ErrorCode"]));
    expect(entryFiles.length).toBeGreaterThan(8);
  });

  it.each(exported.map(({ name }) => name))("%s is named", (name) => expect(isNamed(name)).toBe(true));

  const undeclared = new Set(["ErrorCode"]);
  const types = exported.filter(({ name, isType }) => isType && !undeclared.has(name)).map(({ name }) => name);

  it.each(types)("type %s is declared in full", (name) => {
    expect(text).toMatch(new RegExp(`^(?:interface|type) ${name}\\b`, "mu"));
  });

  it.each(entryFiles)("of %s are named: %s", (name, file) => {
    expect(text).toContain(`mnemosyne-edge${name.slice(1)}`);
    expect(exportsOf(file).filter((one) => !isNamed(one.name))).toEqual([]);
  });
});

describe("declarations", () => {
  const shown = signatures(classes.reduce((rest, name) => rest.replace(section(name), ""), text));

  it("are many", () => expect(shown.length).toBeGreaterThan(60));

  const byName = shown.map(
    (signature) =>
      [/^(?:declare )?(?:interface|type|const|function) (\w+)/u.exec(signature)?.[1] ?? "?", signature] as const,
  );

  it.each(byName)("of %s is that of the source", (name, signature) => {
    const sources = declarations.filter((declared: Declaration) => declared.name === name);
    expect(sources.map((declared) => normalize(declared.text))).toContain(normalize(signature));
  });
});

describe("errors", () => {
  it("has every code once, and no other", () => {
    const { text: union } = declarations.find(({ name }) => name === "ErrorCode")!;
    const codes = [...union.matchAll(/"(\w+)"/gu)].map((match) => match[1]!);
    const named = tableRows(page, "Error codes").map(([cell]) => cell!.replaceAll("`", ""));
    expect(codes.length).toBeGreaterThan(25);
    expect(named.toSorted()).toEqual(codes.toSorted());
  });

  it("has every class with its family", () => {
    const named = tableRows(page, "Errors").map(([name, family]) => [name, family].join(" ").replaceAll("`", ""));
    const errors = exported.map(({ name }) => name).filter((name) => /^(?!Mnemosyne)\w+Error$/u.test(name));
    expect(named.map((row) => row.split(" ")[0]).toSorted()).toEqual(errors.toSorted());
    for (const row of named) {
      const [name, family] = row.split(" ") as [string, string];
      const parent = name === "StaleRevisionError" ? "StoreError" : name;
      const [, body] = read("src/errors.ts").split(`class ${parent} extends MnemosyneError {`);
      expect(body!.split("\n}")[0]).toContain(`super("${family}"`);
    }
  });
});

describe("the checks themselves", () => {
  it("see a signature that differs, and none that is only laid out otherwise", () => {
    const source = "recall(query: string, options?: RecallOptions): Promise<Recall>;";
    expect(normalize(source.replace("options?", "options"))).not.toBe(normalize(source));
    expect(normalize(source.replace("Promise<Recall>", "Recall"))).not.toBe(normalize(source));
    expect(normalize("/** Asks. */\nrecall(\n  query: string,\n  options?: RecallOptions,\n): Promise<Recall>")).toBe(
      normalize(source),
    );
  });

  it("see names that are not there", () => expect(isNamed("RecallOption")).toBe(false));
});
