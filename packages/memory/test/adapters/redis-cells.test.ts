/** Cells of the Redis store: what they hold comes back in its place, with the right key, and nothing else does. */
import { describe, expect, test } from "vitest";
import { openCell, packCell } from "../../src/adapters/store/redis/cells.js";
import { makeCipher, plainCipher } from "../../src/adapters/store/redis/cipher.js";

const place = { person: "ada", kind: "memory", id: "a", field: "content" };
const text = "Zoë plays the violin \u0000 \u{1f3bb}";

describe.each(["plain", "encrypted"])("%s", (kind) => {
  const open = async (key = "correct horse") => (kind === "plain" ? plainCipher : makeCipher(key, "mnemosyne:"));

  test("text and bytes come back", async () => {
    const cipher = await open();
    for (const value of [text, "", Buffer.from([0, 255, 7])]) {
      expect(openCell(cipher, place, packCell(cipher, place, value))).toEqual(Buffer.from(value));
    }
  });

  test("no changed byte, missing end or other place is taken for what was written", async () => {
    const cipher = await open();
    const cell = packCell(cipher, place, text);
    for (let at = 0; at < cell.length; at++) {
      const changed = Buffer.from(cell);
      changed[at]! ^= 1;
      expect(() => openCell(cipher, place, changed)).toThrow(/"ada", "a": the memory is damaged \(content\)/u);
      expect(() => openCell(cipher, place, cell.subarray(0, at))).toThrow(/damaged/u);
    }
    expect(() => openCell(cipher, place, null)).toThrow(/damaged/u);
    for (const other of [{ person: "bea" }, { kind: "interaction" }, { id: "b" }, { field: "tokens" }]) {
      expect(() => openCell(cipher, { ...place, ...other }, cell)).toThrow(/damaged/u);
    }
  });
});

test("another key, or the same in another store, opens nothing", async () => {
  const cell = packCell(await makeCipher("correct horse", "mnemosyne:"), place, text);
  expect(cell.toString()).not.toContain("violin");
  for (const [key, prefix] of [
    ["wrong horse", "mnemosyne:"],
    ["correct horse", "other:"],
  ] as const) {
    const cipher = await makeCipher(key, prefix);
    expect(() => openCell(cipher, place, cell)).toThrow(/damaged/u);
  }
});
