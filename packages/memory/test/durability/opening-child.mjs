/** Opens a database as another user would, or at a path nobody should use, and says what became of it. */
import { writeSync } from "node:fs";
import { Mnemosyne } from "mnemosyne-edge";
import { laboratory } from "./laboratory.mjs";

try {
  const log = ({ level, message }) => level === "warn" && writeSync(1, `warned ${message}\n`);
  const memories = await Mnemosyne.open(laboratory({ ...JSON.parse(process.argv[2]), log }));
  await memories.close();
  writeSync(1, "opened\n");
} catch (error) {
  writeSync(1, `failed ${error.family} ${error.code}\n`);
}
