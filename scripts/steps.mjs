// The steps that `npm run check`, `npm test` and `npm run test:full` share.
import { ensureDebianPackage, npm, run } from "./setup.mjs";

export const checks = [
  ["build and types", () => npm("run", "--silent", "typecheck")],
  ["lint", () => npm("run", "--silent", "lint")],
  ["format", () => npm("run", "--silent", "format:check")],
  ["dead code", () => npm("run", "--silent", "dead-code")],
];

/** Programs that tests need and npm does not provide. */
export const programs = [
  ["a browser for the tests", () => ensureDebianPackage("chromium", "chromium", "MNEMOSYNE_CHROMIUM")],
  ["a Redis for the tests", () => ensureDebianPackage("redis-server", "redis-server", "MNEMOSYNE_REDIS_SERVER")],
  ["openssl for the tests", () => ensureDebianPackage("openssl", "openssl", "MNEMOSYNE_OPENSSL")],
];

/** The tests, on the build that the checks have just made. */
export function unit(env, ...paths) {
  const vitest = "node_modules/vitest/vitest.mjs";
  run(process.execPath, [vitest, "run", ...paths], { MNEMOSYNE_TEST_BUILD: "kept", ...env });
}
