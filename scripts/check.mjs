// `npm run check`: types, lint, format, dead code, rooms and the tests of pure code, in under a minute.
import { installPackages, runSteps } from "./setup.mjs";
import { checks, unit } from "./steps.mjs";

installPackages();
await runSteps([
  checks,
  ["rooms and tests of pure code", () => unit({}, "packages/memory/test/core", "test/rooms", "test/docs/tidy")],
]);
