import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32, crc32ByTable } from "../../src/files/checksum.js";

describe("crc32", () => {
  it("gives the check value of the standard", () => {
    const digits = new TextEncoder().encode("123456789");
    expect(crc32(digits)).toBe(0xcbf4_3926);
    expect(crc32ByTable(digits)).toBe(0xcbf4_3926);
    expect(crc32(new Uint8Array())).toBe(0);
  });

  it("continues where the bytes before ended, and is the same without zlib's", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (first, second) => {
        const whole = crc32(Buffer.concat([first, second]));
        expect(crc32(second, crc32(first))).toBe(whole);
        // As an empty array without memory of its own, once it is asked for its buffer.
        expect(second.buffer.byteLength).toBeGreaterThanOrEqual(second.length);
        expect(crc32(second, crc32(first))).toBe(whole);
        expect(crc32ByTable(second, crc32ByTable(first))).toBe(whole);
      }),
    );
  });
});
