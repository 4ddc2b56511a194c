/** The map of the paper is complete, and what it names exists. */
import { type ParameterDefinition, parameterDefinitions } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { read, tableRows } from "./project-files.js";

const map = "docs/paper-map.md";

/** What the paper has a name or a number for. */
const equations = list(`
  Equation 1, Equation 2, RS, m+, sim, e_eff, S_meta, S_query, S(m), P(m), s_conn, s_boost, s_rece, s_ent, s_hybrid,
  Equation A1, Equation A2, Equation A3`);
const algorithms = list("Algorithm 1, Algorithm 2, Algorithm B1, Algorithm B2, Algorithm B3");
const graphAttributes = list("index, neighbors, is_paired, t_init, weight, boost, t_boosted");
const storedAttributes = list("summary_text, summary_vector, hypothetical_query, hypothetical_vector, keywords");
const hyperparameters = list(`
  edge_threshold, alpha_key, threshold, alpha_NMI, temporal_weight_factor, temporal_decay_hours, alpha_meta, mu,
  mid_sig, floor, top_k_starts, min_threshold, max_nodes_per_start, theta_conn, theta_boost, theta_rece, theta_ent,
  lambda`);
const notYet: ReadonlySet<string> = new Set();

function list(text: string): string[] {
  return text.split(",").map((label) => label.trim());
}

const tables = {
  Equations: equations,
  "Algorithms and steps": algorithms,
  "Table C1": graphAttributes,
  "Table C2": storedAttributes,
  "Table C3": hyperparameters,
};
const headings = Object.keys(tables);

function labelOf([cell]: readonly string[]): string {
  return cell!.replaceAll("`", "").replace(/ \(.*\)$/u, "");
}

const rows = headings.flatMap((heading) =>
  tableRows(map, heading).map((cells) => [`${heading}: ${labelOf(cells)}, ${cells[1]!}`, cells] as const),
);

describe.each(Object.entries(tables))("%s", (heading, labels) => {
  it("has a row for each label of the paper", () => {
    const named = new Set(tableRows(map, heading).map(labelOf));
    expect(labels.filter((label) => !named.has(label))).toEqual([]);
  });

  it("has no label twice, but for steps of one section", () => {
    const named = tableRows(map, heading)
      .map(labelOf)
      .filter((label) => !label.startsWith("Section"));
    expect(named).toEqual([...new Set(named)]);
  });
});

describe("each row names", () => {
  const done = rows.filter(([, cells]) => !notYet.has(labelOf(cells)));

  it.each(done)("code that exists: %s", (_, cells) => {
    const named = namedCode(cells.join(" | "));
    expect(named).not.toEqual([]);
    expect(named.filter(({ file, name }) => !isDeclared(file, name))).toEqual([]);
  });

  it.each(done)("a test that exists: %s", (_, cells) => {
    const named = namedTests(cells.join(" | "));
    expect(named).not.toEqual([]);
    expect(named.filter(({ file, title }) => !isTest(file, title))).toEqual([]);
  });
});

describe("Table C3", () => {
  it.each(tableRows(map, "Table C3"))("%s (%s) has the values of the schema", (...cells) => {
    const [, , parameter, paperValue, defaultValue] = cells;
    const definitions: Readonly<Record<string, ParameterDefinition>> = parameterDefinitions;
    const definition = definitions[parameter!.replaceAll("`", "")]!;
    expect(Number(paperValue)).toBe(definition.paper ?? definition.default);
    expect(Number(defaultValue)).toBe(definition.default);
  });
});

describe("parameters", () => {
  const named = new Set([...read(map).matchAll(/`(\w+)`/gu)].map((match) => match[1]));

  it.each(Object.keys(parameterDefinitions))("%s is on the map", (name) => expect(named.has(name)).toBe(true));

  it("that the list of those in no table names all exist", () => {
    const cells = tableRows(map, "Parameters that are in no table").map(([, cell]) => cell!);
    const listed = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/gu)].map((match) => match[1]!));
    expect(listed.filter((name) => !Object.hasOwn(parameterDefinitions, name))).toEqual([]);
  });
});

describe("numbers in the text", () => {
  const definitions: Readonly<Record<string, ParameterDefinition>> = parameterDefinitions;
  const stated = [...read(map).matchAll(/`(\w+)` = ([\d.]+\d|\d)/gu)]
    .filter(([, name]) => Object.hasOwn(definitions, name!))
    .map(([, name, value]) => [name!, Number(value)] as const);

  it("are stated for the parameters that departures name", () => expect(stated.length).toBeGreaterThan(5));

  it.each(stated)("%s = %d is the default", (name, value) => expect(value).toBe(definitions[name]!.default));

  it("of bytes per memory and per edge are those of the code", () => {
    const code = read("src/core/graph/graph-bytes.ts");
    const [, node] = /nodeOverheadBytes = ([\d_]+)/u.exec(code)!;
    const [, edge] = /edgeOverheadBytes = ([\d_]+)/u.exec(code)!;
    const layout = read("docs/architecture.md");
    expect(layout).toContain(`${node!.replace("_", ",")} bytes of objects`);
    expect(layout).toContain(`each edge ${edge} bytes`);
  });
});

it("departures are numbered without a gap", () => {
  const [, list] = read(map).split("## Where we depart from the paper");
  const numbers = [...list!.matchAll(/^(\d+)\. \*\*/gmu)].map((match) => Number(match[1]));
  expect(numbers.length).toBeGreaterThanOrEqual(11);
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
});

describe("the checks themselves", () => {
  it("see code and tests that do not exist", () => {
    expect(isDeclared("src/core/paper/decay.ts", "decays")).toBe(false);
    expect(isDeclared("src/core/graph/memory-node.ts", "MemoryNode.weight")).toBe(false);
    expect(isTest("test/core/paper/decay.test.ts", "is the formula of nothing")).toBe(false);
    expect(namedCode("`src/core/paper/decay.ts`: `decay`, `rewind`")).toHaveLength(2);
    expect(namedTests('`test/core/paper/decay.test.ts`: "a", "b"')).toHaveLength(2);
  });
});

/** Names that follow a source file: `src/core/paper/decay.ts`: `decay`. */
function namedCode(text: string): { file: string; name: string }[] {
  return [...text.matchAll(/`(src\/[\w/-]+\.ts)`: ((?:`[\w.]+`(?:, )?)+)/gu)].flatMap(([, file, names]) =>
    [...names!.matchAll(/`([\w.]+)`/gu)].map((match) => ({ file: file!, name: match[1]! })),
  );
}

/** Titles that follow a test file: `test/core/paper/decay.test.ts`: "is the formula of its comment". */
function namedTests(text: string): { file: string; title: string }[] {
  return [...text.matchAll(/`(test\/[\w./-]+\.ts)`: ((?:"[^"]+"(?:, )?)+)/gu)].flatMap(([, file, titles]) =>
    [...titles!.matchAll(/"([^"]+)"/gu)].map((match) => ({ file: file!, title: match[1]! })),
  );
}

/** An export, or with a dot a member of one. */
function isDeclared(file: string, name: string): boolean {
  const [owner, member] = name.split(".") as [string, string?];
  const declaration = new RegExp(
    `^export (?:abstract )?(?:async )?(?:function\\*?|class|const|interface|type) ${owner}\\b`,
    "mu",
  ).exec(read(file));
  if (declaration === null) return false;
  if (member === undefined) return true;
  const [body] = read(file).slice(declaration.index).split(/^\}/mu);
  return new RegExp(`^ {2}(?:readonly )?${member}[(?:]`, "mu").test(body!);
}

function isTest(file: string, title: string): boolean {
  const text = read(file);
  return [`"${title}"`, `'${title}'`].some((quoted) => text.includes(quoted));
}
