// The project's own configuration with one source file changed, in the answer of a plugin: no file is written, so whatever
// ends the run leaves the sources as they are. Threads and child processes of tests run the build, which is not changed.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import project from "../../../../vitest.config.ts";

const { MUTANT_SOURCE: source, MUTANT_CODE: code } = process.env;

const changedSource = {
  name: "changed-source",
  enforce: "pre",
  load: (id) => (source !== undefined && id.split("?")[0] === source ? readFileSync(code, "utf8") : null),
};

export default mergeConfig(project, {
  root: fileURLToPath(new URL("../../../../", import.meta.url)),
  plugins: [changedSource],
  test: { bail: 1, reporters: ["dot"], maxWorkers: 2 },
});
