// `npm run build`: compiles src to dist, and leaves nothing there of files that are gone.
import { rmSync } from "node:fs";
import { build, runSteps } from "./setup.mjs";

rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });
runSteps([["build", build]]);
