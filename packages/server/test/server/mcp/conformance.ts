/** Runs the protocol's own conformance suite against an address. It needs the newest Node. */
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { areInstalled, newestNode, packages } from "../../../../../test-full/packages.js";

const suite = `${packages}/mcp-conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js`;

export const canRunSuite = areInstalled(suite, newestNode);

/** The revisions of the protocol whose required scenarios are run. */
export const revisions = ["2025-11-25", "2026-07-28"] as const;

export interface ScenarioOutcome {
  readonly passedCount: number;
  readonly failing: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO" | "SKIPPED";
}

/** What became of each scenario; a failing one is no error here. */
export async function runSuite(
  url: string,
  revision: string,
  folder: string,
): Promise<ReadonlyMap<string, ScenarioOutcome>> {
  const args = [suite, "server", "--url", url, "--requirements", revision, "--output-dir", folder];
  const child = spawn(newestNode, args, { stdio: ["ignore", "ignore", "inherit"] });
  await new Promise((resolve, reject) => child.once("error", reject).once("exit", resolve));
  return new Map(readdirSync(folder).map((name) => [nameOf(name), readOutcome(join(folder, name, "checks.json"))]));
}

/** A folder is called server-<scenario>-<time>. */
function nameOf(folder: string): string {
  return folder.replace(/^server-(?<scenario>.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/u, "$<scenario>");
}

function readOutcome(file: string): ScenarioOutcome {
  const checks = JSON.parse(readFileSync(file, "utf8")) as Check[];
  const failing = new Set(checks.filter(({ status }) => status === "FAILURE").map(({ id }) => id));
  return {
    passedCount: checks.filter(({ status }) => status === "SUCCESS").length,
    failing: [...failing].toSorted(),
  };
}
