/** A server that is killed while clients commit: every 202 survives, exactly once. `npm run bench:server` does more of it. */
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { commitWhileKilling } from "./killed-server.mjs";
import { ServedProcess } from "./served-process.mjs";

const scratch = new ScratchFolder();
const script = fileURLToPath(new URL("hashing-server.mjs", import.meta.url));

test("what was answered with 202 is there exactly once, however often the server was killed", async () => {
  const served = await ServedProcess.start({ path: scratch.next(), script });
  onTestFinished(() => served.kill());
  const result = await commitWhileKilling({ served, personCount: 8, killCount: 2, killEveryMs: 300 });
  expect(result).toMatchObject({ lost: [], strange: [], doubled: [], refusals: [], killCount: 2 });
  expect(result.acknowledgedCount).toBeGreaterThan(24);
  // Otherwise nothing was asked twice, and nothing is shown.
  expect(result.retryCount).toBeGreaterThan(0);
  expect(result.impatientCount).toBeGreaterThan(0);
});
