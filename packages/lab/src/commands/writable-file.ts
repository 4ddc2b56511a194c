/** Whether a result can be written where it was asked for. */
import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { describeUnwritable } from "mnemosyne-edge/internal/files/file-error.js";
import { InputError } from "mnemosyne-edge";

/** Called before an evaluation that takes minutes, not after it. */
export async function checkWritable(file: string): Promise<void> {
  const { checkReplaceable } = await import("mnemosyne-edge/internal/files/whole-file.js");
  await checkReplaceable(file);
  await access(dirname(file), constants.W_OK).catch((cause: Error) => {
    throw new InputError("option_invalid", describeUnwritable(file, cause), { cause });
  });
}
