/** The commit of a report is that of the code's own repository, or none. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findProvenance } from "../../../src/report/provenance.js";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";
import { hasGit, makeRepository } from "../git-repository.js";

const scratch = new ScratchFolder();

function makePackage(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"version":"1.2.3"}');
  return folder;
}

it.skipIf(!hasGit)(
  "the commit is reported if the package is the root of a repository, with tracked changes marked",
  async () => {
    const folder = makePackage(scratch.next(""));
    const commit = makeRepository(folder);
    expect(await findProvenance(folder)).toEqual({ version: "1.2.3", commit });
    writeFileSync(join(folder, "notes.txt"), "not tracked");
    expect((await findProvenance(folder)).commit).toBe(commit);
    writeFileSync(join(folder, "package.json"), '{"version":"1.2.4"}');
    expect(await findProvenance(folder)).toEqual({ version: "1.2.4", commit: `${commit}+changes` });
  },
);

it.skipIf(!hasGit)("a package inside somebody's repository has no commit, tracked or not", async () => {
  const outer = makePackage(scratch.next(""));
  const tracked = makePackage(join(outer, "packages", "memory"));
  makeRepository(outer);
  const installed = makePackage(join(outer, "node_modules", "memory"));
  for (const folder of [tracked, installed]) {
    expect(await findProvenance(folder)).toEqual({ version: "1.2.3", commit: null });
  }
});

it.skipIf(!hasGit)("a package outside of any repository has none, nor does one without commits", async () => {
  const folder = makePackage(scratch.next(""));
  expect((await findProvenance(folder)).commit).toBeNull();
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  expect((await findProvenance(folder)).commit).toBeNull();
});
