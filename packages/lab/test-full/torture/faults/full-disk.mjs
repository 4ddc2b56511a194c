/** A disk that is full and has room again: nothing acknowledged is lost, what is forgotten is gone, and it opens. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { filesIn } from "../bytes.mjs";
import { checkBytes } from "../checks.mjs";
import { markOf, numbers } from "../interactions.mjs";

const diskKilobytes = 24_576;
const preparedCount = 30;

/** A file system of its own, seen by nobody else, where one may be mounted. */
const hasOwnDisk =
  spawnSync("unshare", ["-m", "sh", "-c", 'mount -t tmpfs -o size=1m none "$0"', process.cwd()]).status === 0;

export const fullDisk = {
  kind: "full-disk",
  stores: ["sqlite", "encrypted"],
  async run(scene) {
    if (hasOwnDisk && scene.random.chance(0.7)) await fillDisk(scene);
    else await limitFiles(scene);
  },
};

function preparation() {
  return [...numbers(0, preparedCount).map((number) => ["commit", { number, hasId: true }]), ["settle"]];
}

/** Commits until nothing fits, forgets, exports, tries again. */
function actsOnFull(scene, path) {
  const { random } = scene;
  const commits = numbers(100, 40).map((number) => ["commit", { number }]);
  const forgets = random
    .shuffle(numbers(0, preparedCount))
    .slice(0, 4)
    .map((number) => ["forget", [number]]);
  const reads = [
    ["exportTo", { person: "ada", file: join(scene.folder, "ada.jsonl") }],
    ["recall", { person: "ada", question: "How was the garden?" }],
  ];
  const more = numbers(200, 4).map((number) => ["commit", { number, hasId: true }]);
  const parts = random.chance(0.5) ? [...commits, ...forgets, ...reads] : [...forgets, ...commits, ...reads];
  return [["open"], ...parts, ...more, ["close"], ["bytes", { path, marks: marksOf(scene) }]];
}

/** All in one shell, as the disk goes when its last process does. */
async function fillDisk(scene) {
  const disk = join(scene.folder, "disk");
  const path = join(disk, "memory.db");
  const open = { ...scene.open(), path };
  const lookFile = join(scene.folder, "look.json");
  const argument = (acts) => JSON.stringify({ seed: scene.seed, open, acts });
  const script = diskScript(scene.random.between(0, 700));
  const prepare = argument([["open"], ...preparation(), ["close"]]);
  const use = argument(actsOnFull(scene, path));
  const look = argument([
    ["open"],
    ["settle"],
    ["look", lookFile],
    ["close"],
    ["bytes", { path, marks: marksOf(scene) }],
  ]);
  const actor = scene.start([], {
    command: ([actorFile]) => [
      "unshare",
      ["-m", "sh", "-c", script, process.execPath, actorFile, disk, prepare, use, look],
    ],
  });
  await scene.finish(actor);
  for (const code of actor.said("ended")) scene.note("aborts", `exit code ${code} on the full disk: ${actor.errors}`);
  checkErased(scene, actor.said("inBytes").flat());
  if (existsSync(lookFile)) scene.check(JSON.parse(readFileSync(lookFile, "utf8")));
  else scene.note("unusable", `with room again: ${JSON.stringify(actor.said("refused").at(-1))}`);
}

/** Prepares a database, fills the disk up to some room, lets it be used, makes room again, and looks. */
function diskScript(roomKilobytes) {
  return [
    'set -e; mkdir -p "$2"',
    `mount -t tmpfs -o size=${diskKilobytes}k none "$2"`,
    '"$0" "$1" "$3"',
    'used=$(du -k "$2" | cut -f1)',
    `head -c $(( (${diskKilobytes - roomKilobytes} - used) * 1024 )) /dev/zero > "$2/ballast"`,
    '"$0" "$1" "$4" || echo "ended $?"',
    'rm "$2/ballast"',
    '"$0" "$1" "$5"',
  ].join("\n");
}

function marksOf(scene) {
  return numbers(0, preparedCount).map((number) => markOf(scene.seed, number));
}

/** Neither when forgetting was acknowledged nor later. */
function checkErased(scene, marksInBytes) {
  for (const mark of new Set(marksInBytes)) {
    if (scene.forgotten.has(mark)) scene.note("kept", `${mark} was forgotten and is in the bytes`);
  }
}

/** The nearest thing to a full disk that needs no other file system. */
async function limitFiles(scene) {
  const path = scene.path();
  await scene.perform([["open"], ...preparation(), ["close"]]);
  const kilobytes = Math.ceil(filesIn(path).length / 1024) + scene.random.between(0, 500);
  const limit = `ulimit -f ${kilobytes}; exec "$0" "$@"`;
  const command = (args) => ["bash", ["-c", limit, process.execPath, ...args]];
  const actor = await scene.perform(actsOnFull(scene, path), { command });
  checkErased(scene, actor.said("inBytes").flat());
  await scene.look();
  scene.findings.push(...checkBytes(scene.forgotten, filesIn(path)));
}
