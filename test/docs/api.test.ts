/** The API reference has every method with its signature, every value and error code, and no other. */
import { describe, expect, it } from "vitest";
import { declarationsOf, exportsOf, normalize } from "./declarations.js";
import { read, tableRows } from "./project-files.js";

const page = "docs/api.md";
const text = read(page);

const files = {
  Mnemosyne: "packages/memory/dist/mnemosyne.d.ts",
  PersonMemory: "packages/memory/dist/person-memory.d.ts",
  Conversation: "packages/memory/dist/conversation.d.ts",
};

function section(heading: string): string {
  const [, rest] = text.split(new RegExp(`^## ${heading}$`, "mu"));
  return rest!.split(/^## /mu)[0]!;
}

/** The pieces of a section's `typescript` blocks, which blank lines divide. */
function signatures(part: string): string[] {
  return [...part.matchAll(/^```typescript\n([\s\S]*?)^```$/gmu)].flatMap((match) =>
    match[1]!
      .split(/\n\n/u)
      .map(normalize)
      .filter((piece) => piece !== ""),
  );
}

describe.each(Object.entries(files))("%s", (name, file) => {
  const { members } = declarationsOf(file).find((declared) => declared.kind === "class" && declared.name === name)!;

  it("has all its members with their signatures, each under a heading, and no others", () => {
    expect(signatures(section(name)).toSorted()).toEqual(members.map((member) => normalize(member.text)).toSorted());
    const isHeaded = (member: string): boolean => new RegExp(`^### (?:\\w+\\.)?${member}$`, "mu").test(section(name));
    expect(members.map((member) => member.name).filter((member) => !isHeaded(member))).toEqual([]);
  });
});

describe("exports", () => {
  const { exports: entries } = JSON.parse(read("packages/memory/package.json")) as {
    exports: Record<string, string | { readonly types: string }>;
  };
  const doors = Object.entries(entries).flatMap(([name, entry]) =>
    typeof entry === "string" ? [] : [{ name: `mnemosyne-edge${name.slice(1)}`, file: entry.types }],
  );

  it("are named: every door, and every value behind it", () => {
    const missing = doors.flatMap(({ name, file }) =>
      exportsOf(`packages/memory/${file.slice(2)}`)
        .filter((one) => !one.isType && !new RegExp(`\\b${one.name}\\b`, "u").test(text))
        .map((one) => `${name}: ${one.name}`),
    );
    expect(doors.map(({ name }) => name).filter((name) => !text.includes(name))).toEqual([]);
    expect(missing).toEqual([]);
  });

  it("include every error code and class of the tables", () => {
    const declared = declarationsOf("packages/memory/dist/errors.d.ts");
    const { text: union } = declared.find(({ name }) => name === "ErrorCode")!;
    const codes = [...union.matchAll(/"(\w+)"/gu)].map((match) => match[1]!);
    expect(namesIn("Error codes")).toEqual(codes.toSorted());
    const classes = declared.map(({ name }) => name).filter((name) => /^(?!Mnemosyne)\w+Error$/u.test(name));
    expect(namesIn("Errors")).toEqual(classes.toSorted());
  });

  it("include every option of opening a memory", () => {
    const code = read("packages/memory/src/opening.ts");
    const bodies = [
      ...code.matchAll(/export interface (?:StoreOptions|MnemosyneOptions extends StoreOptions) \{([^}]*)\}/gu),
    ];
    const options = bodies.flatMap(([, body]) => [...body!.matchAll(/readonly (\w+)\?:/gu)].map((match) => match[1]!));
    expect(namesIn("Options")).toEqual(options.toSorted());
  });
});

function namesIn(heading: string): string[] {
  return tableRows(page, heading)
    .map(([cell]) => cell!.replaceAll("`", ""))
    .toSorted();
}
