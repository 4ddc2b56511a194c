// `npm run eval`: builds, and measures everything docs/evaluation.md publishes of the data in this repository; with
// `npm run eval -- locomo10.json` of LoCoMo too. Vectors are kept below node_modules/.cache, so that the next run is short.
import { fileURLToPath } from "node:url";
import { resolve } from "node:path";
import { build, installPackages, run, runSteps } from "./setup.mjs";

const cli = fileURLToPath(new URL("../packages/server/dist/cli/main.js", import.meta.url));
const cache = fileURLToPath(new URL("../node_modules/.cache/mnemosyne-eval", import.meta.url));
const replies = "benchmarks/model-replies/type2-diabetes.json";
const withModel = ["--recorded", replies, "--systems", "naive-rag,mnemosyne-paper,mnemosyne-paper-strict,mnemosyne"];
const [locomo] = process.argv.slice(2).map((file) => resolve(process.env.INIT_CWD ?? ".", file));

const measure = (...args) => run(process.execPath, [cli, "eval", ...args, "--cache", cache]);

installPackages();
runSteps([
  ["build", build],
  ["held-out journeys", () => measure("journeys", "--data", "benchmarks/journeys-held-out", "--systems", "all")],
  ["journeys", () => measure("journeys", "--systems", "all")],
  ["one journey, with and without recorded replies of a model", () => measure("journeys", ...withModel)],
  ["chats", () => measure("chats", "--systems", "all")],
  ["trust", () => measure("trust")],
  ...(locomo === undefined
    ? []
    : [
        ["LoCoMo", () => measure("locomo", "--data", locomo, "--systems", "all")],
        ["LoCoMo without summaries", () => measure("locomo", "--data", locomo, "--turns-only")],
      ]),
]);
