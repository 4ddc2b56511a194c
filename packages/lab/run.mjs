// `npm run lab -- …`: builds what has changed since the last build, and runs the lab's command line.
import { existsSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { spawnSync } from "node:child_process";

const root = fileURLToPath(new URL("../../", import.meta.url));
const main = join(root, "packages/lab/dist/main.js");

function newest(folder) {
  const names = readdirSync(folder, { recursive: true });
  return Math.max(...names.map((name) => statSync(join(folder, name)).mtimeMs));
}

const builtMs = existsSync(main) ? statSync(main).mtimeMs : 0;
if (["memory", "lab"].some((name) => newest(join(root, "packages", name, "src")) > builtMs)) {
  const { status } = spawnSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
// Paths are meant from where npm was called.
const cwd = process.env.INIT_CWD ?? process.cwd();
const { status } = spawnSync(process.execPath, [main, ...process.argv.slice(2)], { stdio: "inherit", cwd });
process.exit(status ?? 1);
