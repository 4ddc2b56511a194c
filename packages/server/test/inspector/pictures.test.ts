/** The pictures in the documents show the inspector as it is. */
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../../../test/docs/project-files.js";

const made = JSON.parse(readFileSync(`${root}docs/inspector-pictures.json`, "utf8")) as {
  readonly source: string;
  readonly pictures: readonly string[];
};

it("were taken of this source; if not, `npm run screenshots` takes them", () => {
  const folder = `${root}src/inspector`;
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(?:tsx?|css)$/u.test(name),
  );
  expect(names.length).toBeGreaterThan(20);
  const hash = createHash("sha256");
  for (const name of names.toSorted()) hash.update(name).update(readFileSync(join(folder, name)));
  expect(made.source).toBe(hash.digest("hex"));
});

it("are there, in both themes and at phone width, and no others", () => {
  const found = readdirSync(`${root}docs`).filter((name) => /^inspector-.*\.png$/u.test(name));
  expect(found.toSorted()).toEqual(made.pictures.toSorted());
  for (const look of ["light", "dark", "phone"]) {
    expect(found.filter((name) => name.endsWith(`-${look}.png`)).length).toBeGreaterThan(3);
  }
  for (const name of found) expect(readFileSync(`${root}docs/${name}`).subarray(1, 4).toString()).toBe("PNG");
});
