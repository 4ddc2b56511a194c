/** Which code made a report: the version of the package, and its commit if it runs from its own repository. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export interface Provenance {
  readonly version: string;
  /** Null if the package is not its own repository. "+changes" is appended if tracked files were changed. */
  readonly commit: string | null;
}

const packageRoot = fileURLToPath(new URL("../../../../", import.meta.url));

export async function findProvenance(folder = packageRoot): Promise<Provenance> {
  const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { version: string };
  return { version, commit: await findCommit(folder) };
}

async function findCommit(folder: string): Promise<string | null> {
  try {
    const commit = await git(folder, "rev-parse", "--verify", "HEAD");
    const changes = await git(folder, "status", "--porcelain", "--untracked-files=no");
    return changes === "" ? commit : `${commit}+changes`;
  } catch {
    return null;
  }
}

/** Names the repository explicitly, so that git searches neither the parent folders nor the environment. */
async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const own = ["--no-optional-locks", `--git-dir=${join(folder, ".git")}`, `--work-tree=${folder}`];
  const { stdout } = await promisify(execFile)("git", [...own, ...args], { cwd: folder });
  return stdout.trim();
}
