/** Which keys open an encrypted file: all of a key counts. */
import { SqliteStore } from "mnemosyne-edge/store/sqlite";
import { describe, expect, test } from "vitest";
import { ScratchFolder } from "./scratch-folder.js";

const scratch = new ScratchFolder();
const refusal = { code: "store_not_ours" };

describe("all of the key counts:", () => {
  const long = "0123456789".repeat(7);

  test.each([
    ["what follows the 32nd byte", `${long}a`, `${long}b`],
    ["a key and its first 32 bytes", long, long.slice(0, 32)],
    ["halves of surrogate pairs", "\ud800", "\ud801"],
    ["a half and the sign for what is no text", "\udc00", "\ufffd"],
    ["composed and decomposed letters", "caf\u00e9", "cafe\u0301"],
  ])("%s", async (_, key, other) => {
    const path = scratch.next();
    await (await SqliteStore.open({ path, encryptionKey: key })).close();
    await expect(SqliteStore.open({ path, encryptionKey: other })).rejects.toMatchObject(refusal);
    await (await SqliteStore.open({ path, encryptionKey: key })).close();
  });
});
