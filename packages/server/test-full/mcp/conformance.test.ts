/**
 * The protocol's own conformance suite against our server. not-applicable.json has every check that fails, by the reason why it
 * does not apply; a check that fails without being there, or is there and no longer fails, fails the test.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { areInstalled, newestNode, packages } from "../../../../test-full/packages.js";
import { read } from "../../../../test/docs/project-files.js";
import { startMcpServer } from "../../test/server/mcp/mcp-server.js";

const suite = `${packages}/mcp-conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js`;

/** Revisions of the protocol; scenarios of each that pass as a whole, so that the test notices a suite that does not run. */
const passing = {
  "2025-11-25": ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"],
  "2026-07-28": ["tools-list", "caching", "http-header-validation", "sep-2164-resource-not-found", "resources-list"],
};
type Revision = keyof typeof passing;
type ChecksByScenario = Readonly<Record<string, readonly string[]>>;

const notApplicable = JSON.parse(read("packages/server/test-full/mcp/not-applicable.json")) as Readonly<
  Record<Revision, Readonly<Record<string, ChecksByScenario>>>
>;

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO" | "SKIPPED";
}

/** The checks of each scenario. */
async function runSuite(url: string, revision: Revision): Promise<ReadonlyMap<string, readonly Check[]>> {
  const folder = mkdtempSync(join(tmpdir(), "mnemosyne-conformance-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const args = [suite, "server", "--url", url, "--requirements", revision, "--output-dir", folder];
  const child = spawn(newestNode, args, { stdio: ["ignore", "ignore", "inherit"] });
  await new Promise((resolve, reject) => child.once("error", reject).once("exit", resolve));
  const checksOf = (name: string) => JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as Check[];
  return new Map(readdirSync(folder).map((name) => [scenarioOf(name), checksOf(name)]));
}

/** A folder is called server-<scenario>-<time>. */
function scenarioOf(folder: string): string {
  return folder.replace(/^server-(?<scenario>.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/u, "$<scenario>");
}

function idsOf(checks: readonly Check[], wanted: Check["status"]): string[] {
  return [...new Set(checks.filter(({ status }) => status === wanted).map(({ id }) => id))].toSorted();
}

describe.runIf(areInstalled(suite, newestNode))("the conformance suite of MCP", () => {
  it.each(Object.keys(passing) as Revision[])("passes for %s, except for what does not apply", async (revision) => {
    const server = await startMcpServer();
    onTestFinished(() => server.stop());
    await server.mnemosyne.person().commit({ id: "one", summary: "I like tea.", keep: true }, { wait: true });
    const scenarios = await runSuite(server.url, revision);
    const failing = [...scenarios]
      .map(([name, checks]): [string, string[]] => [name, idsOf(checks, "FAILURE")])
      .filter(([, ids]) => ids.length > 0);
    expect(Object.fromEntries(failing)).toEqual(Object.assign({}, ...Object.values(notApplicable[revision])));
    for (const name of passing[revision]) expect(idsOf(scenarios.get(name) ?? [], "SUCCESS"), name).not.toEqual([]);
  });
});
