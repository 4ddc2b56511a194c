/** What is about a warning. That nothing else ends one, test/commit/links.test.ts shows through the public door. */
import { expect, it } from "vitest";
import { speaksOfWarning } from "../../src/english/warnings.js";

it.each([
  ["I'm allergic to penicillin.", "Turns out I'm not allergic to penicillin.", true],
  ["I'm allergic to eggs.", "The doctor says I have outgrown my egg allergy.", true],
  ["Soy alérgica a las nueces.", "Ya no soy alérgica, no.", true],
  ["I have a pacemaker.", "They took my pacemaker out.", true],
  ["I'm allergic to penicillin.", "I finished the antibiotics.", false],
  ["I'm allergic to nuts.", "I'm vegan now.", false],
  ["I'm allergic to nuts.", "I'm allergic to latex.", false],
  ["Never give Mum ibuprofen.", "Mum no longer takes water tablets.", false],
])("%s %s", (warning, now, expected) => {
  expect(speaksOfWarning(warning, now)).toBe(expected);
});
