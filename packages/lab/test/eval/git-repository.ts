/** A git repository for tests. */
import { execFileSync, spawnSync } from "node:child_process";

/** A machine with only Node.js and npm may lack git; there nothing has a commit. */
export const hasGit = spawnSync("git", ["--version"]).status === 0;

/** Turns a folder and its content into a repository; returns the commit. */
export function makeRepository(folder: string): string {
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
  git("init", "--quiet");
  git("add", "--all");
  const author = ["-c", "user.name=test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"];
  git(...author, "commit", "--quiet", "--allow-empty", "--no-verify", "--message", "All of it");
  return git("rev-parse", "HEAD");
}
