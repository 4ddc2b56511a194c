/** The map of the paper is complete, and the code and tests it names exist. */
import { existsSync } from "node:fs";
import { type ParameterDefinition, parameterDefinitions } from "mnemosyne-edge";
import { expect, it } from "vitest";
import { read, root, tableRows } from "./project-files.js";

const map = "docs/paper-map.md";

/** Labels of the paper, by the heading of their table here. */
const labels: Readonly<Record<string, string>> = {
  Equations: `Equation 1, Equation 2, RS, m+, sim, e_eff, S_meta, S_query, S(m), P(m), s_conn, s_boost, s_rece, s_ent,
    s_hybrid, Equation A1, Equation A2, Equation A3`,
  "Algorithms and steps": "Algorithm 1, Algorithm 2, Algorithm B1, Algorithm B2, Algorithm B3",
  "Table C1": "index, neighbors, is_paired, t_init, weight, boost, t_boosted",
  "Table C2": "summary_text, summary_vector, hypothetical_query, hypothetical_vector, keywords",
  "Table C3": `edge_threshold, alpha_key, threshold, alpha_NMI, temporal_weight_factor, temporal_decay_hours, alpha_meta,
    mu, mid_sig, floor, top_k_starts, min_threshold, max_nodes_per_start, theta_conn, theta_boost, theta_rece,
    theta_ent, lambda`,
};

function labelOf([cell]: readonly string[]): string {
  return cell!.replaceAll("`", "").replace(/ \(.*\)$/u, "");
}

it("every equation, algorithm and table row of the paper is on the map", () => {
  const missing = Object.entries(labels).flatMap(([heading, list]) => {
    const named = new Set(tableRows(map, heading).map(labelOf));
    return list
      .split(",")
      .map((label) => label.trim())
      .filter((label) => !named.has(label));
  });
  expect(missing).toEqual([]);
});

it("every row names code and tests that exist", () => {
  const rows = Object.keys(labels).flatMap((heading) => tableRows(map, heading));
  const wrong = rows.flatMap((cells) => {
    const text = cells.join(" | ");
    const code = [...text.matchAll(/`((?:lab\/)?src\/[\w/-]+\.ts)`: ((?:`[\w.]+`(?:, )?)+)/gu)];
    const tests = [...text.matchAll(/`((?:lab\/)?test\/[\w./-]+\.ts)`/gu)].map(([, path]) => inPackage(path!));
    const undeclared = code.flatMap(([, path, names]) =>
      [...names!.matchAll(/`([\w.]+)`/gu)]
        .filter(([, name]) => !isDeclared(inPackage(path!), name!))
        .map(([, name]) => `${path} ${name}`),
    );
    const isBare = code.length === 0;
    return [...undeclared, ...tests.filter((path) => !existsSync(root + path)), ...(isBare ? [text] : [])];
  });
  expect(wrong).toEqual([]);
});

it("Table C3 has the values of the schema", () => {
  const definitions: Readonly<Record<string, ParameterDefinition>> = parameterDefinitions;
  const stated = tableRows(map, "Table C3").map(
    ([, , name, value]) => [name!.replaceAll("`", ""), Number(value)] as const,
  );
  const actual = stated.map(([name]) => [name, definitions[name]?.paper ?? definitions[name]?.default]);
  expect(stated).toEqual(actual);
});

function inPackage(path: string): string {
  return path.startsWith("lab/") ? `packages/${path}` : `packages/memory/${path}`;
}

/** An export, or with a dot a member of one. */
function isDeclared(file: string, name: string): boolean {
  if (!existsSync(root + file)) return false;
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
