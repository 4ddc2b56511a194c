// `npm test`: installs what is missing and proves everything: types, lint, format, dead code, tests.
import { ensureDebianPackage, ensureTestPackage, installPackages, npm, runSteps } from "./setup.mjs";

installPackages();
runSteps([
  ["build and types", () => npm("run", "--silent", "typecheck")],
  ["lint", () => npm("run", "--silent", "lint")],
  ["format", () => npm("run", "--silent", "format:check")],
  ["dead code", () => npm("run", "--silent", "dead-code")],
  ["a browser for the tests", () => ensureDebianPackage("chromium", "chromium", "MNEMOSYNE_CHROMIUM")],
  ["a Redis for the tests", () => ensureDebianPackage("redis-server", "redis-server", "MNEMOSYNE_REDIS_SERVER")],
  ["openssl for the tests", () => ensureDebianPackage("openssl", "openssl", "MNEMOSYNE_OPENSSL")],
  ["gte-small for the tests", () => ensureTestPackage("gte-small")],
  ["the newest Node for the tests", () => ensureTestPackage("newest-node")],
  ["clients of chat APIs for the tests", () => ensureTestPackage("chat-clients")],
  ["publint and attw for the tests", () => ensureTestPackage("package-checks")],
  ["the OpenAPI linter for the tests", () => ensureTestPackage("openapi-lint")],
  ["the MCP conformance suite for the tests", () => ensureTestPackage("mcp-conformance")],
  [
    "mem0, LangGraph, the AI SDK and OpenAI Agents for the tests",
    () => ensureTestPackage("doors", ["ci", "--legacy-peer-deps"]),
  ],
  ["tests", () => npm("run", "--silent", "unit")],
]);
