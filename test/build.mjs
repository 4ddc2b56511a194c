// Before the first test: builds what tests start as processes and threads, so that they too run what was just edited. Whoever
// starts the tests many times on one build, as test/mutants does, says so.
import { build } from "../scripts/setup.mjs";

export function setup() {
  if (process.env.MNEMOSYNE_TEST_BUILD !== "kept") build();
}
