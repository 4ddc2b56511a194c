/**
 * Carries out the Dockerfile without Docker, and uses the image: `node test-full/deploy/run-image.mjs`, as root on Linux, with
 * a registry to install from. The base image is this machine, under an overlay for each stage, so nothing on it changes.
 * Then, as the image's user on a read-only root with /data and /tmp to write to: a commit, a recall, a backup, the doctor,
 * and the server until its health check is content and SIGTERM ends it.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readContext, readHealthCheck, readStages } from "../../test/deploy/dockerfile.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const insideVariable = "MNEMOSYNE_IMAGE_FOLDER";
/** Of the user `node` in the official images. */
const userId = 1_000;
const healthTriesMax = 60;

const folder = process.env[insideVariable];
if (folder === undefined) startInside();
else await runImage(folder);

/** In a namespace of mounts of its own: they end with it. */
function startInside() {
  const made = mkdtempSync(join(tmpdir(), "mnemosyne-image-"));
  try {
    const args = ["-m", process.execPath, fileURLToPath(import.meta.url)];
    const { status } = spawnSync("unshare", args, {
      stdio: "inherit",
      env: { ...process.env, [insideVariable]: made },
    });
    process.exitCode = status ?? 1;
  } finally {
    rmdirSync(made);
  }
}

async function runImage(place) {
  run("mount", ["--make-rprivate", "/"]);
  run("mount", ["-t", "tmpfs", "-o", "size=6g", "none", place]);
  const stages = new Map();
  let image;
  for (const [number, instructions] of readStages().entries()) {
    image = makeStage(join(place, String(number)));
    stages.set(/ AS (\w+)/u.exec(instructions[0].text)?.[1] ?? "", image);
    for (const instruction of instructions.slice(1)) carryOut(instruction, image, stages);
  }
  say(`/app: ${output("du", ["-sh", `${image.root}/app`]).split("\t")[0]}`);
  closeRoot(image);
  await use(image);
}

function makeStage(stage) {
  const [upper, work, merged] = ["upper", "work", "root"].map((name) => join(stage, name));
  for (const path of [upper, work, merged]) mkdirSync(path, { recursive: true });
  run("mount", ["-t", "overlay", "overlay", "-o", `lowerdir=/,upperdir=${upper},workdir=${work}`, merged]);
  for (const path of ["/proc", "/dev"]) run("mount", ["--rbind", path, merged + path]);
  run("mount", ["-t", "tmpfs", "-o", "mode=1777", "none", `${merged}/tmp`]);
  run("chroot", [merged, "sh", "-c", `id node >/dev/null 2>&1 || useradd -o -u ${userId} -U -m node`]);
  return { root: merged, folder: "/", variables: {} };
}

function carryOut({ name, text }, stage, stages) {
  if (name === "WORKDIR") {
    stage.folder = text;
    mkdirSync(stage.root + text, { recursive: true });
  } else if (name === "COPY") copy(text, stage, stages);
  else if (name === "ENV") {
    for (const [, variable, value] of text.matchAll(/(\w+)=(\S+)/gu)) stage.variables[variable] = value;
  } else if (name === "RUN") {
    say(`RUN ${text.replaceAll(/\s+/gu, " ").slice(0, 100)}`);
    const env = { ...process.env, ...stage.variables, npm_config_loglevel: "error" };
    run("chroot", [stage.root, "sh", "-c", `cd ${stage.folder} && ${text}`], {
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
}

function copy(text, stage, stages) {
  const [, from, source, target] = /^--from=(\w+) (\S+) (\S+)$/u.exec(text) ?? [];
  if (from !== undefined) {
    run("cp", ["-a", stages.get(from).root + source, stage.root + target]);
    return;
  }
  const names = text.split(/\s+/u).slice(0, -1);
  for (const name of names[0] === "." ? readContext() : names) {
    const to = join(stage.root, stage.folder, name);
    if (statSync(root + name).isDirectory()) cpSync(root + name, to, { recursive: true });
    else copyFileSync(root + name, to);
  }
}

function closeRoot({ root: image }) {
  run("mount", ["-t", "tmpfs", "-o", `mode=700,uid=${userId},gid=${userId}`, "none", `${image}/data`]);
  run("mount", ["--rbind", image, image]);
  run("mount", ["-o", "remount,bind,ro", image]);
}

async function use(image) {
  expect(image, ["touch", "/app/written"], 1);
  expect(image, ["mnemosyne", "commit", "Ada moved to Lisbon for a new job at the aquarium."]);
  expect(image, ["mnemosyne", "recall", "Where does Ada work?"]);
  expect(image, ["mnemosyne", "backup", "/data/monday.db"]);
  expect(image, ["mnemosyne", "--path", "/data/monday.db", "doctor"]);
  expect(image, ["sh", "-c", 'cd /app && node -e \'import("@redis/client"); import("pg")\'']);
  await serve(image);
}

async function serve(image) {
  // Bound beyond loopback, it must not start for everybody.
  expect(image, ["mnemosyne", "serve"], 2);
  expect(image, ["mnemosyne", "keys", "add", "--admin"]);
  const variables = { MNEMOSYNE_PORT: String(await freePort()) };
  const [command, args, options] = asUser(image, ["mnemosyne", "serve"], variables);
  const server = spawn(command, args, { ...options, stdio: "inherit" });
  const ended = once(server, "exit");
  const [program, ...rest] = readHealthCheck();
  let tries = 0;
  while (spawnSync(...asUser(image, [program, ...rest], variables)).status !== 0) {
    if (server.exitCode !== null || ++tries === healthTriesMax) throw new Error("the server did not become healthy");
    await delay(500);
  }
  say("healthy");
  server.kill("SIGTERM");
  const [code] = await ended;
  say(`the server ended with ${code}`);
  if (code !== 0) process.exitCode = 1;
}

function asUser(image, words, variables = {}) {
  const { PATH } = process.env;
  const env = { PATH, HOME: image.folder, ...image.variables, ...variables };
  const enter = `cd ${image.folder} && exec "$@"`;
  return [
    "chroot",
    [`--userspec=${userId}:${userId}`, image.root, "sh", "-c", enter, basename(words[0]), ...words],
    { env },
  ];
}

/** Says what a command of the image says; another exit code than the expected one ends everything. */
function expect(image, words, code = 0) {
  const [command, args, options] = asUser(image, words);
  const { status, stdout, stderr } = spawnSync(command, args, { ...options, encoding: "utf8" });
  say(`$ ${words.join(" ")}\n${stdout}${stderr}`);
  if (status !== code) throw new Error(`${words.join(" ")} ended with ${status}, not ${code}`);
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: "inherit", ...options });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}`, { cause: error });
}

function output(command, args) {
  return spawnSync(command, args, { encoding: "utf8" }).stdout;
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
