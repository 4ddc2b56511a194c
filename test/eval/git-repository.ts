/** A git repository for tests. */
import { execFileSync, spawnSync } from "node:child_process";

/** A machine with Node.js and npm only need not have it; there nothing has a commit. */
export const hasGit = spawnSync("git", ["--version"]).status === 0;

/** Makes a repository of a folder with all that is in it; returns its commit. */
export function makeRepository(folder: string): string {
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
  git("init", "--quiet");
  git("add", "--all");
  const author = ["-c", "user.name=test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"];
  git(...author, "commit", "--quiet", "--allow-empty", "--no-verify", "--message", "All of it");
  return git("rev-parse", "HEAD");
}
