/** A git repository for tests. */
import { execFileSync } from "node:child_process";

/** Makes a repository of a folder with all that is in it; returns its commit. */
export function makeRepository(folder: string): string {
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
  git("init", "--quiet");
  git("add", "--all");
  const author = ["-c", "user.name=test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"];
  git(...author, "commit", "--quiet", "--allow-empty", "--no-verify", "--message", "All of it");
  return git("rev-parse", "HEAD");
}
