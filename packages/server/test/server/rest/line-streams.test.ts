/** Lines of a body that comes in pieces. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { readLines } from "../../../src/server/rest/line-streams.js";

async function linesOf(bytes: Uint8Array, pieceLength: number): Promise<string[]> {
  const lines: string[] = [];
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
  }
  for await (const line of readLines(pieces())) lines.push(line);
  return lines;
}

it("are the same wherever the pieces end", async () => {
  const text = fc.array(fc.constantFrom("a", "ß", "🐝", "\n", " ", "\r\n")).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 5 }), async (body, pieceLength) => {
      const expected = body.split("\n").filter((line) => line.trim() !== "");
      expect(await linesOf(new TextEncoder().encode(body), pieceLength)).toEqual(expected);
    }),
  );
});

it("a long one is not searched again with each piece", async () => {
  const bytes = new Uint8Array(6 * 2 ** 20).fill(0x61);
  expect((await linesOf(bytes, 1_024)).map(({ length }) => length)).toEqual([bytes.length]);
});

it("too many are refused when they are, also blank ones", async () => {
  const take = async (body: string): Promise<number> => {
    let count = 0;
    async function* pieces(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode(body);
    }
    for await (const _ of readLines(pieces(), 3)) count++;
    return count;
  };
  expect(await take("a\nb\nc\n")).toBe(3);
  for (const body of ["a\nb\nc\nd\n", "\n\n\n\n"]) {
    await expect(take(body)).rejects.toMatchObject({
      code: "body_too_large",
      message: expect.stringContaining("3 lines"),
    });
  }
});
