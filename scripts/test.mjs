// `npm test`: installs what is missing and proves everything: types, lint and import boundaries, format, dead code, tests.
import { installPackages, npm, build, runSteps } from "./setup.mjs";

installPackages();
runSteps([
  ["build", build],
  ["types", () => npm("run", "--silent", "typecheck")],
  ["lint and import boundaries", () => npm("run", "--silent", "lint")],
  ["format", () => npm("run", "--silent", "format:check")],
  ["dead code", () => npm("run", "--silent", "dead-code")],
  ["tests", () => npm("run", "--silent", "unit")],
]);
