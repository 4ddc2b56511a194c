// `npm run build`: compiles src to dist.
import { build, runSteps } from "./setup.mjs";

runSteps([["build", build]]);
