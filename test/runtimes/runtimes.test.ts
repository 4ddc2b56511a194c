/** The packed package on the Node that runs the tests and on the newest one; `npm run test:runtimes` tries all the others. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { PackedPackage } from "../package/packed-package.js";
import { programs } from "./programs.mjs";
import { isThere, newestNode } from "./runtimes.mjs";

const packed = new PackedPackage();
afterAll(() => packed.remove());

const here = { name: `Node ${process.versions.node}, which runs the tests,`, command: [process.execPath] as const };
const runtimes = process.env["CI"] === "true" || isThere(newestNode) ? [here, newestNode] : [here];

describe.each(runtimes)("$name", ({ command: [binary, ...args] }) => {
  const kinds = ["mjs", "cjs"] as const;

  it.each(kinds)("commits, recalls and forgets in a program in .%s, on both stores", (kind) => {
    const program = join(packed.folder, `program.${kind}`);
    writeFileSync(program, programs[kind]);
    const cwd = mkdtempSync(join(packed.folder, "work-"));
    expect(execFileSync(binary, [...args, program], { cwd, encoding: "utf8" })).toContain("remembered with ");
  });
});
