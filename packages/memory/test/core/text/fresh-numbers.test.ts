import { describe, expect, it } from "vitest";
import { finish } from "../../../src/core/steps.js";
import { findFreshNumbersSteps } from "../../../src/core/text/fresh-numbers.js";
import { splitTerms } from "../../../src/core/text/words.js";

const freshIn = (text: string, older: string): unknown => {
  const terms = new Set(splitTerms(older));
  return finish(findFreshNumbersSteps(text, (term) => terms.has(term)));
};

describe("fresh numbers", () => {
  it("are those that the older memory does not have, in their order, and their share of all", () => {
    expect(freshIn("148/92 at 10:30, pulse 72", "141/86, pulse 72")).toEqual({
      fresh: ["148/92", "10:30"],
      share: 2 / 3,
    });
    expect(freshIn("148/92, pulse 72", "pulse 72, 148/92")).toEqual({ fresh: [], share: 0 });
    expect(freshIn("pulse 72", "pulse was fine")).toEqual({ fresh: ["72"], share: 1 });
  });

  it("count once, however often they are said", () => {
    expect(freshIn("5 mg, then 5 mg, then 7", "7")).toEqual({ fresh: ["5"], share: 1 / 2 });
  });

  it("may be spelled, as they stand in the text, if they are terms", () => {
    expect(freshIn("Twelve steps and thirty more", "thirty")).toEqual({ fresh: ["Twelve"], share: 1 / 2 });
    expect(freshIn("one of the two", "")).toEqual({ fresh: [], share: 0 });
  });

  it("of a text without numbers are none", () => {
    expect(freshIn("my knee hurts", "")).toEqual({ fresh: [], share: 0 });
  });
});
