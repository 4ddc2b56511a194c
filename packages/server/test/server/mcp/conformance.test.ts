/**
 * The protocol's own conformance suite. conformance-not-applicable.json has every check that fails, with the reason why it
 * does not apply; a check that fails without being there, or is there and no longer fails, fails the test. The suite runs
 * again on the same routes with the tools that it expects; `fixture` has what these do not cover.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../../../test/docs/project-files.js";
import { canRunSuite, revisions, runSuite } from "./conformance.js";
import { createFixtureServer } from "./conformance-fixture.js";
import { type McpTestServer, startMcpServer } from "./mcp-server.js";

type NotApplicable = Record<string, { failing: string[]; reason: string }>;
const notApplicable = JSON.parse(
  readFileSync(join(root, "packages/server/test/server/mcp/conformance-not-applicable.json"), "utf8"),
) as Record<(typeof revisions)[number], NotApplicable> & { fixture: Record<string, string> };

const folder = mkdtempSync(join(tmpdir(), "mnemosyne-conformance-"));
let server: McpTestServer;
beforeAll(async () => {
  server = await startMcpServer();
  await server.mnemosyne.person().commit({ id: "one", summary: "I like tea.", keep: true }, { wait: true });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Scenarios that pass as a whole, so that the test notices a suite that does not run. */
const passing = {
  "2025-11-25": ["server-initialize", "ping", "tools-list", "server-session-lifecycle", "dns-rebinding-protection"],
  "2026-07-28": ["tools-list", "caching", "http-header-validation", "sep-2164-resource-not-found", "resources-list"],
};

describe.runIf(canRunSuite)("the conformance suite", () => {
  it.each(revisions)("passes for %s, except for what does not apply", async (revision) => {
    const outcomes = await runSuite(server.url, revision, join(folder, revision));
    const failing = [...outcomes].filter(([, outcome]) => outcome.failing.length > 0);
    const expected = Object.entries(notApplicable[revision]).map(([name, entry]) => [name, entry.failing]);
    expect(Object.fromEntries(failing.map(([name, outcome]) => [name, outcome.failing]))).toEqual(
      Object.fromEntries(expected),
    );
    for (const name of passing[revision]) expect(outcomes.get(name)?.passedCount, name).toBeGreaterThan(0);
  });

  it("has a reason for each that is left out", () => {
    const reasons = revisions.flatMap((revision) => Object.values(notApplicable[revision]).map(({ reason }) => reason));
    const all = [...reasons, ...Object.values(notApplicable.fixture)];
    expect(all.filter((reason) => reason.length < 20)).toEqual([]);
  });
});

/** What only the fixture can show: that our way carries it. */
const reached = {
  "2025-11-25": ["tools-call-with-progress", "tools-call-elicitation", "tools-call-sampling", "resources-read-binary"],
  "2026-07-28": ["tools-call-with-progress", "input-required-result-basic-elicitation", "prompts-get-with-image"],
};

describe.runIf(canRunSuite)("the routes and sessions, with a server that has what the suite expects", () => {
  it.each(revisions)("pass the scenarios of %s", async (revision) => {
    const fixture = await startMcpServer({ createServer: createFixtureServer });
    const outcomes = await runSuite(fixture.url, revision, join(folder, `fixture-${revision}`));
    await fixture.stop();
    const failing = [...outcomes].filter(([, outcome]) => outcome.failing.length > 0).map(([name]) => name);
    const notBuilt = [...outcomes.keys()].filter((name) => name in notApplicable.fixture);
    expect(failing.toSorted()).toEqual(notBuilt.toSorted());
    for (const name of reached[revision]) expect(outcomes.get(name), name).toMatchObject({ failing: [] });
  });
});
