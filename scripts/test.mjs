// `npm test`: installs what is missing, checks types, lint, format and dead code, and runs the tests.
import { installPackages, runSteps } from "./setup.mjs";
import { checks, programs, unit } from "./steps.mjs";

installPackages();
await runSteps([checks, programs, ["tests", () => unit({})]]);
