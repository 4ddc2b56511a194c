// Before the first test: builds what tests start as processes and threads, so that they too run what was just edited.
import { build } from "../scripts/setup.mjs";

export function setup() {
  build();
}
