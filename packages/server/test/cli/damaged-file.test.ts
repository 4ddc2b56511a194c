/** A damaged file as somebody at the command line meets it: named, and what is whole is saved by the doctor's own advice. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { beforeAll, expect, it } from "vitest";
import { CommandFolder } from "./command.js";

const folder = new CommandFolder();
const damaged = "damaged.db";

beforeAll(async () => {
  await folder.fill();
  folder.copy(damaged);
  const database = new Database(join(folder.path, damaged));
  database.exec("UPDATE memory SET content = zeroblob(500) WHERE id = 'allergy'");
  database.close();
});

it("is refused by name, and the doctor's advice gets everything back", async () => {
  const refused = await folder.run(["--path", damaged, "recall", "What is Ada allergic to?"]);
  expect(refused.code).toBe(4);
  expect(refused.errors).toContain('"default", "allergy": the memory is damaged');

  const doctor = await folder.run(["--path", damaged, "doctor"]);
  expect(doctor.code).toBe(6);
  expect(doctor.out).toContain('"default", "allergy": the memory is damaged');
  const advice = /`mnemosyne (migrate [^`]*)`/u.exec(doctor.out)![1]!.split(" ");

  const saved = await folder.run(advice);
  expect(saved.code).toBe(0);
  expect(saved.out).toContain("1 person migrated to whole.db");
  expect(saved.out).toContain('"default", "allergy": the memory is damaged');
  // The memory is made again by the first command that opens the file.
  await folder.run(["--path", "whole.db", "list"]);
  const answer = await folder.run(["--path", "whole.db", "recall", "What is Ada allergic to?"]);
  expect(answer.out).toContain("Ada is allergic to penicillin; it gave her hives in 2012.");
});

it("is exported without what is damaged, also to standard output by its usual name", async () => {
  const refused = await folder.run(["--path", damaged, "export", "-"]);
  expect(refused.code).toBe(4);
  const { code, out } = await folder.run(["--path", damaged, "export", "-", "--skip-damaged"]);
  expect(code).toBe(0);
  const ids = out.split("\n").flatMap((line) => /"interaction":\{"id":"([^"]+)"/u.exec(line)?.[1] ?? []);
  expect(ids.toSorted()).toEqual(["allergy", "lisbon"]);
});

it("without a single byte is a new one, with a warning", async () => {
  writeFileSync(join(folder.path, "empty.db"), "");
  const { code, errors } = await folder.run(["--path", "empty.db", "commit", "Ada moved to Lisbon on 3 January."]);
  expect(code).toBe(0);
  expect(errors).toContain("empty.db was an empty file");
});

it("prints a context for a program as it is, each quotation on its line", async () => {
  const { out } = await folder.run(["--path", "whole.db", "recall", "What is Ada allergic to?"]);
  expect(
    out.split("\n").some((line) => line.includes("Ada is allergic to penicillin; it gave her hives in 2012.")),
  ).toBe(true);
});
