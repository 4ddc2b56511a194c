// A setup file of recording runs: writes down which functions of the source a test file enters.
import { writeFileSync } from "node:fs";
import { afterAll, expect } from "vitest";

globalThis.mutantMarks = new Set();

afterAll(() => {
  const { testPath } = expect.getState();
  const name = testPath.replaceAll(/[^\w.-]/gu, "_");
  writeFileSync(`${process.env.MUTANTS_RECORD}/${name}.json`, JSON.stringify([testPath, [...globalThis.mutantMarks]]));
});
