// `npm run build`: compiles src to dist.
import { build, runSteps } from "./setup.mjs";

await runSteps([["build", build]]);
