// The steps that `npm run check`, `npm test` and `npm run test:full` share.
import { ensureDebianPackage, run, runScripts } from "./setup.mjs";

/** Two at a time, for two cores. */
export const checks = [
  "build, types, lint, format and dead code",
  async () => {
    const [typed, formatted] = await Promise.allSettled([
      runScripts("typecheck", "lint", "dead-code"),
      runScripts("format:check"),
    ]);
    for (const { reason } of [typed, formatted]) if (reason !== undefined) throw reason;
  },
];

/** Programs that tests need and npm does not provide. */
export const programs = [
  "a browser, a Redis, a PostgreSQL and openssl for the tests",
  () => {
    ensureDebianPackage("chromium", "chromium", "MNEMOSYNE_CHROMIUM");
    ensureDebianPackage("redis-server", "redis-server", "MNEMOSYNE_REDIS_SERVER");
    ensureDebianPackage("postgres", "postgresql", "MNEMOSYNE_POSTGRES", "/usr/lib/postgresql/*/bin");
    ensureDebianPackage("openssl", "openssl", "MNEMOSYNE_OPENSSL");
  },
];

/** The tests, on the build that the checks have just made. */
export function unit(env, ...paths) {
  const vitest = "node_modules/vitest/vitest.mjs";
  run(process.execPath, [vitest, "run", ...paths], { MNEMOSYNE_TEST_BUILD: "kept", ...env });
}
