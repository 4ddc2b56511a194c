// Before the first test: builds the programs that tests start as processes and threads. MNEMOSYNE_TEST_BUILD=kept skips it.
import { build } from "../scripts/setup.mjs";

export function setup() {
  if (process.env.MNEMOSYNE_TEST_BUILD !== "kept") build();
}
