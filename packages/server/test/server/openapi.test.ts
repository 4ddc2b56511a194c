/** The OpenAPI document that a running server serves, held against a linter that we did not write. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { restRoutes } from "../../src/server/rest/routes.js";
import { areInstalled, packages } from "../../../../test-full/packages.js";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { startProofServer } from "./proof-server.js";

const folder = `${packages}/openapi-lint`;
const isWanted = areInstalled(`${folder}/node_modules/@redocly/cli`);
const scratch = new ScratchFolder();

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId?: string; responses: object }>>>>;
}

let document: Document;
beforeAll(async () => {
  const { url } = await startProofServer();
  document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
});

it("is OpenAPI 3.1 and has every route, each once", () => {
  expect(document.openapi).toMatch(/^3\.1\./u);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  );
  expect(operations.toSorted()).toEqual(
    restRoutes.map(({ method, path, operationId }) => `${method} ${path} ${operationId}`).toSorted(),
  );
});

describe.runIf(isWanted)("what the linter finds", () => {
  it("is nothing", () => {
    expect(lint(document)).toEqual({ errors: 0, warnings: 0, ignored: 0, rules: [] });
  });

  it("is something where a parameter of a path is missing, a schema is unused or an operation has no name", () => {
    const faulty = structuredClone(document) as unknown as {
      paths: Record<string, { get: { parameters: unknown[]; operationId?: string } }>;
      components: { schemas: Record<string, object> };
    };
    faulty.paths["/v1/persons/{person}/core"]!.get.parameters.shift();
    delete faulty.paths["/v1/persons/{person}/stats"]!.get.operationId;
    faulty.components.schemas["Unused"] = { type: "string" };
    expect(lint(faulty).rules).toEqual(["no-unused-components", "operation-operationId", "path-parameters-defined"]);
  });
});

function lint(written: object): { readonly rules: readonly string[] } & Readonly<Record<string, unknown>> {
  const file = scratch.next(".json");
  writeFileSync(file, JSON.stringify(written));
  const tool = join(folder, "node_modules/@redocly/cli/bin/cli.js");
  const args = ["lint", "--config", join(folder, "redocly.yaml"), "--format", "json", file];
  // It sends usage data and looks for newer versions of itself unless it is told not to.
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { stdout, stderr } = spawnSync(process.execPath, [tool, ...args], { encoding: "utf8", env });
  if (!stdout.startsWith("{")) throw new Error(stdout + stderr);
  const { totals, problems } = JSON.parse(stdout) as { totals: object; problems: { ruleId: string }[] };
  return { ...totals, rules: [...new Set(problems.map(({ ruleId }) => ruleId))].toSorted() };
}
