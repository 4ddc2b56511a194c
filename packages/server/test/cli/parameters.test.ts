/** `mnemosyne parameters`: all of them, in groups, and those that mention a word. */
import { parameterDefinitions } from "mnemosyne-edge";
import { expect, it } from "vitest";
import { findParameters } from "../../src/cli/parameters-command.js";
import { CommandFolder } from "./command.js";

const folder = new CommandFolder();

it("every parameter is in one group that says what it steers", () => {
  const found = findParameters([]);
  expect(found.map(({ name }) => name).toSorted()).toEqual(Object.keys(parameterDefinitions).toSorted());
  expect(found.filter(({ group }) => group === "Other").map(({ name }) => name)).toEqual([]);
  const titles = found.map(({ group }) => group);
  expect(titles).toEqual([...new Set(titles)].flatMap((title) => titles.filter((each) => each === title)));
});

it("a search finds what mentions all its words, in any case", () => {
  expect(findParameters(["decayfloor"]).map(({ name }) => name)).toEqual(["decayFloor"]);
  const found = findParameters(["Edge", "strongest"]).map(({ name }) => name);
  expect(found).toEqual(["degreeMax"]);
  expect(() => findParameters(["unicorn"])).toThrow(/no parameter mentions "unicorn"/u);
});

it("each is printed with value, default, range, source and meaning", async () => {
  const { out } = await folder.run(["--set", "decayFloor=0.2", "parameters", "decayFloor"]);
  expect(out).toBe(
    `How far a recall goes  traversal and decay; Equation 2
  decayFloor = 0.2, by default 0.05  0 to 1; Table C3, floor; Equation 2, d
    What decay never falls below; 1 turns decay off.
`,
  );
  const listed = await folder.runJson<{ name: string; value: number; group: string }[]>(["parameters", "decayFloor"]);
  expect(listed).toMatchObject([{ name: "decayFloor", value: 0.05, group: "How far a recall goes" }]);
});
