// A Next.js application whose route commits, recalls and forgets, built as a standalone folder and started from elsewhere.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { copyFolder, installInto } from "./project.mjs";
import { programs } from "./programs.mjs";

const attemptCountMax = 240;
const includes = "node_modules/{mnemosyne-edge,@lat.md,libsql,@libsql,@neon-rs,detect-libc,onnxruntime-*}/**/*";
const config = { output: "standalone", outputFileTracingIncludes: { "/**": [includes] } };

const packages = fileURLToPath(new URL("../packages/next", import.meta.url));

/** A project that has Next.js and the packed package installed. */
export function createNextProject({ folder, file }) {
  const project = join(folder, "next");
  mkdirSync(project);
  for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(packages, name), join(project, name));
  // Not `npm ci`: it refuses a lock file without the binaries of platforms that a registry does not have.
  installInto(project, file);
  return project;
}

/** Builds it, moves what was built to a folder without other packages, and asks it. */
export async function tryNext(project, runtime, isExternal) {
  const settings = isExternal ? { ...config, serverExternalPackages: ["mnemosyne-edge"] } : config;
  writeFile(
    project,
    "next.config.mjs",
    `export default ${JSON.stringify({ ...settings, turbopack: { root: project } })};\n`,
  );
  writeFile(project, "app/layout.js", "export default ({ children }) => <html><body>{children}</body></html>;\n");
  writeFile(project, "app/page.js", "export default () => <p>A page</p>;\n");
  writeFile(project, "app/memory/route.js", toRoute(programs.mjs));
  await build(project, runtime);
  const moved = mkdtempSync(join(tmpdir(), "mnemosyne-standalone-"));
  try {
    copyFolder(join(project, ".next/standalone"), moved);
    return await ask(moved, runtime);
  } finally {
    rmSync(moved, { recursive: true, force: true });
  }
}

/** The program's own steps, answered instead of printed. */
function toRoute(program) {
  const body = program.replace("await remember(Mnemosyne);\n", "").replace("process.stdout.write(", "return (");
  return `${body}export const dynamic = "force-dynamic";\nexport const GET = async () => new Response(await remember(Mnemosyne));\n`;
}

function writeFile(project, path, text) {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

async function build(project, { command: [node] }) {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };
  const building = spawn(node, ["node_modules/next/dist/bin/next", "build"], { cwd: project, env });
  const said = collect(building);
  const [code] = await once(building, "close");
  if (code !== 0) throw new Error(`next build ended with ${code}: ${said.join("")}`);
}

async function ask(folder, { command: [node] }) {
  const port = await findPort();
  const env = { ...process.env, PORT: String(port), HOSTNAME: "127.0.0.1", NODE_ENV: "production" };
  const server = spawn(node, ["server.js"], { cwd: folder, env });
  const said = collect(server);
  try {
    for (let attempt = 0; attempt < attemptCountMax && server.exitCode === null; attempt++) {
      const response = await fetch(`http://127.0.0.1:${port}/memory`).catch(() => null);
      if (response !== null) {
        const answer = await response.text();
        return { isDone: response.ok && answer.startsWith("remembered with "), output: `${answer}\n${said.join("")}` };
      }
      await delay(500);
    }
    return { isDone: false, output: `the server does not answer: ${said.join("")}` };
  } finally {
    const exit = once(server, "exit");
    if (server.exitCode === null && server.kill("SIGKILL")) await exit;
  }
}

function collect({ stdout, stderr }) {
  const said = [];
  for (const stream of [stdout, stderr]) stream.on("data", (bytes) => said.push(String(bytes)));
  return said;
}

async function findPort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
