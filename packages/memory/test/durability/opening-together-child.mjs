/**
 * Opens one new file after the other, each at a moment that others who were told the same use too. The argument:
 * `paths`, `everyMs`; the first moment comes on standard input, in milliseconds since 1970.
 */
import { writeSync } from "node:fs";
import { Mnemosyne } from "mnemosyne-edge";
import { laboratory } from "./laboratory.mjs";

const { paths, everyMs } = JSON.parse(process.argv[2]);

writeSync(1, "ready\n");
const first = Number(await new Promise((resolve) => process.stdin.once("data", resolve)));
for (const [n, path] of paths.entries()) {
  // Not a timer: those are a millisecond apart, which is longer than what several must do at once.
  while (Date.now() < first + n * everyMs);
  try {
    await (await Mnemosyne.open(laboratory({ path }))).close();
  } catch (error) {
    writeSync(1, `failed ${error.code} ${error.message}\n`);
  }
}
process.stdin.destroy();
