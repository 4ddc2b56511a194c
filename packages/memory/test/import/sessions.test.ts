/** Conversations become interactions that fit, at pauses, and nothing is lost. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TimedMessage } from "../../src/import/imported-interaction.js";
import { readAll } from "./chunks.js";
import { divideConversation, divideText, sessionPauseMs } from "../../src/import/sessions.js";

const minuteMs = 60_000;

function message(atMs: number, text: string, who = "a"): TimedMessage {
  return { id: String(atMs), who, text, atMs };
}

const conversation = fc
  .array(
    fc.record({
      gapMinutes: fc.oneof(fc.nat(30), fc.nat(800)),
      text: fc.string({ minLength: 1, maxLength: 120, unit: "grapheme" }),
    }),
    {
      maxLength: 60,
    },
  )
  .map((steps) => {
    let atMs = 0;
    return steps.map(({ gapMinutes, text }) => message((atMs += gapMinutes * minuteMs), text));
  });

const limits = fc.record({
  turnCountMax: fc.integer({ min: 1, max: 12 }),
  characterCountMax: fc.integer({ min: 10, max: 300 }),
});

describe("a conversation", () => {
  it("is divided into parts that fit, begin after a pause, and together say what it says", () => {
    fc.assert(
      fc.property(conversation, limits, (messages, sizes) => {
        const parts = divideConversation(messages, sizes);
        for (const part of parts) {
          expect(part.length).toBeGreaterThan(0);
          expect(part.length).toBeLessThanOrEqual(sizes.turnCountMax);
          const size = part.reduce((sum, { who, text }) => sum + who.length + text.length, 0);
          expect(size).toBeLessThanOrEqual(sizes.characterCountMax);
          for (const [i, { atMs }] of part.entries()) {
            if (i > 0) expect(atMs - part[i - 1]!.atMs).toBeLessThan(sessionPauseMs);
          }
        }
        const text = (list: readonly TimedMessage[]): string => list.map((each) => each.text).join("");
        expect(text(parts.flat())).toBe(text(messages));
        expect(parts.flat().map(({ atMs }) => atMs)).toEqual(
          parts
            .flat()
            .map(({ atMs }) => atMs)
            .toSorted((x, y) => x - y),
        );
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  it("that fits is divided at pauses of six hours and nowhere else", () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const parts = divideConversation(messages, { turnCountMax: 1000, characterCountMax: 1e6 });
        const naive: TimedMessage[][] = [];
        for (const [i, each] of messages.entries()) {
          if (i === 0 || each.atMs - messages[i - 1]!.atMs >= sessionPauseMs) naive.push([]);
          naive.at(-1)!.push(each);
        }
        expect(parts).toEqual(naive);
      }),
      { seed: 12, numRuns: 200 },
    );
  });

  it("that grows keeps its first parts", () => {
    fc.assert(
      fc.property(conversation, limits, fc.nat(60), (messages, sizes, count) => {
        const before = divideConversation(messages.slice(0, count), sizes);
        const after = divideConversation(messages, sizes);
        expect(after.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
      }),
      { seed: 13, numRuns: 300 },
    );
  });
});

describe("a text", () => {
  it("is divided into pieces that fit, at words, and never within a character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 400 }),
        fc.integer({ min: 2, max: 50 }),
        (text, lengthMax) => {
          const pieces = divideText(text, lengthMax);
          expect(pieces.join("")).toBe(text);
          for (const piece of pieces) {
            expect(piece.length).toBeLessThanOrEqual(lengthMax);
            if (text.isWellFormed()) expect(piece.isWellFormed()).toBe(true);
          }
        },
      ),
      { seed: 14, numRuns: 300 },
    );
    expect(divideText("One two three. Four five six.", 20)).toEqual(["One two three. ", "Four five six."]);
    expect(divideText("First line\nsecond line", 15)).toEqual(["First line\n", "second line"]);
  });
});

it("parts that begin alike at the same time have ids of their own, the same in every run", async () => {
  const line = "25/03/2024, 10:00 - Ana: ok\n";
  const read = async (): Promise<string[]> =>
    (await readAll("whatsapp", line.repeat(5), { turnCountMax: 2 })).interactions.map(({ id }) => id);
  const ids = await read();
  expect(new Set(ids).size).toBe(3);
  expect(await read()).toEqual(ids);
});
