/** The bytes of a record: what comes back, what is noticed, and what a store learns of names. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Codec, frameVersion, isSealed } from "../../src/stores/codec.js";

const key = { kind: "memory", id: "m1" };
const codecs = { plain: new Codec(), sealed: new Codec("correct horse battery staple") } as const;
const other = new Codec("another key");
const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 37 + 11) % 256);
/** Any text that is well-formed, of every plane, composed or not. */
const names = fc.string({ unit: "binary", maxLength: 40 });
const places = fc.tuple(names, names, names);

/** At an address that no number could be read from. */
function misaligned(bytes: Uint8Array): Uint8Array {
  const piece = new Uint8Array(bytes.byteLength + 1);
  piece.set(bytes, 1);
  return piece.subarray(1);
}

describe.each(Object.entries(codecs))("a frame, %s", (name, codec) => {
  it("comes back as it was, of any length and wherever it lies; numbers can be read where they lie", () => {
    const payloads = fc.record({ layout: fc.integer({ min: 0, max: 255 }), bytes: fc.uint8Array({ maxLength: 70 }) });
    fc.assert(
      fc.property(places, payloads, ([person, kind, id], payload) => {
        const frame = codec.encode(person, { kind, id }, payload);
        expect(frame.byteLength % 4).toBe(0);
        for (const given of [frame, misaligned(frame)]) {
          const { layout, bytes } = codec.decode(person, { kind, id }, given)!;
          expect([layout, Uint8Array.from(bytes)]).toEqual([payload.layout, payload.bytes]);
        }
        const { bytes } = codec.decode(person, { kind, id }, Uint8Array.from(frame))!;
        expect(bytes.byteOffset % 4).toBe(0);
        expect(isSealed(frame)).toBe(name === "sealed");
      }),
    );
  });

  it("with any bit flipped, a piece missing or something after it is nothing", () => {
    for (const length of [0, 1, 2, 3, 4, 5, 33]) {
      const frame = codec.encode("ada", key, { layout: 1, bytes: bytesOf(length) });
      for (let bit = 0; bit < frame.byteLength * 8; bit++) {
        const flipped = Uint8Array.from(frame);
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        expect(codec.decode("ada", key, flipped), `bit ${bit} of ${length} bytes`).toBeNull();
      }
      for (let end = 0; end < frame.byteLength; end++) {
        expect(codec.decode("ada", key, frame.subarray(0, end)), `${end} of ${frame.byteLength} bytes`).toBeNull();
      }
      for (const more of [1, 4, 8]) {
        expect(codec.decode("ada", key, Buffer.concat([frame, Buffer.alloc(more)]))).toBeNull();
      }
    }
  });

  it("belongs to its person, kind and id", () => {
    fc.assert(
      fc.property(places, places, (here, there) => {
        fc.pre(here.some((part, i) => part !== there[i]));
        const frame = codec.encode(here[0], { kind: here[1], id: here[2] }, { layout: 1, bytes: bytesOf(8) });
        expect(codec.decode(there[0], { kind: there[1], id: there[2] }, frame)).toBeNull();
      }),
    );
    // Texts that would be the same one after the other.
    const frame = codec.encode("a", { kind: "b", id: "c" }, { layout: 1, bytes: bytesOf(8) });
    for (const [person, kind, id] of [
      ["ab", "", "c"],
      ["a", "bc", ""],
      ["", "ab", "c"],
      ['a","b', "", "c"],
    ] as const) {
      expect(codec.decode(person, { kind, id }, frame)).toBeNull();
    }
  });

  it("of another version, or of the other sort, is nothing", () => {
    const frame = codec.encode("ada", key, { layout: 1, bytes: bytesOf(8) });
    const later = Uint8Array.from(frame);
    later[0] = frameVersion + 1;
    expect(isSealed(later.with(0, frameVersion - 1))).toBeNull();
    expect([codec.decode("ada", key, later), isSealed(later), isSealed(new Uint8Array(0))]).toEqual([null, null, null]);
    for (const reader of [codecs.plain, codecs.sealed, other].filter((each) => each !== codec)) {
      expect(reader.decode("ada", key, frame)).toBeNull();
    }
  });

  it("of any bytes is never an error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (bytes, isBegun) => {
        if (isBegun) bytes.set([frameVersion, Number(codec.isEncrypting)].slice(0, bytes.byteLength));
        expect(codec.decode("ada", key, bytes)).toBeNull();
      }),
    );
  });

  it("names come back, equal ones as the same text and different ones as different texts", () => {
    fc.assert(
      fc.property(names, names, names, (x, y, person) => {
        const text = codec.toText(x, person);
        expect(codec.toName(text, person)).toBe(x);
        expect(codec.toText(x, person)).toBe(text);
        if (x !== y) expect(codec.toText(y, person)).not.toBe(text);
      }),
    );
    expect(codec.toText("")).toBe("");
  });
});

describe("with a key", () => {
  const { sealed } = codecs;

  it("nothing of a record or a name is in what a store gets, and equal records are different bytes", () => {
    const payload = { layout: 1, bytes: Buffer.from("penicillin") };
    const frames = [1, 2].map(() => sealed.encode("ada lovelace", key, payload));
    for (const frame of frames) expect(frame.includes("penicillin")).toBe(false);
    expect(frames[0]!.equals(frames[1]!)).toBe(false);
    const text = sealed.toText("ada lovelace");
    expect(text).toMatch(/^[\w-]+$/u);
    expect(Buffer.from(text, "base64url").includes("lovelace")).toBe(false);
  });

  it("an id is another text for each person and under each key", () => {
    expect(new Set(["", "ada", "bea", '"ada"'].map((person) => sealed.toText("visit", person))).size).toBe(4);
    expect(other.toText("visit", "ada")).not.toBe(sealed.toText("visit", "ada"));
    expect(other.toName(sealed.toText("visit", "ada"), "ada")).toBeNull();
    expect(sealed.toName(sealed.toText("visit", "ada"), "bea")).toBeNull();
  });

  it("a text that is not quite the one of a name is no name", () => {
    for (const name of ["a", "ab", "abc", "visit", "漢字"]) {
      const text = sealed.toText(name);
      const others = [
        `${text}A`,
        `${text}=`,
        `${text} `,
        `${text}.`,
        text.slice(0, -1),
        text.toUpperCase(),
        "visit",
        "A",
      ];
      const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/";
      for (let i = 0; i < text.length; i++) {
        others.push(...[...letters].map((letter) => text.slice(0, i) + letter + text.slice(i + 1)));
      }
      for (const wrong of others.filter((each) => each !== text)) expect(sealed.toName(wrong), wrong).toBeNull();
    }
  });

  it("every part of the key counts, half a character too", () => {
    const frame = new Codec("key \ud83d").encode("ada", key, { layout: 1, bytes: bytesOf(4) });
    expect(new Codec("key \ud83d").decode("ada", key, frame)).not.toBeNull();
    for (const wrong of ["key \ud83e", "key \ufffd", "key ", "KEY \ud83d"]) {
      expect(new Codec(wrong).decode("ada", key, frame)).toBeNull();
    }
  });
});
