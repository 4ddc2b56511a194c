/** A disk that is full and has room again: nothing acknowledged is lost, what is forgotten is gone, and it opens. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { numbers } from "../interactions.mjs";
import { question } from "../living.mjs";

const diskKilobytes = 24_576;
const preparedCount = 30;

/** A file system of its own, seen by nobody else, where one may be mounted. */
const hasOwnDisk =
  spawnSync("unshare", ["-m", "sh", "-c", 'mount -t tmpfs -o size=1m none "$0"', process.cwd()]).status === 0;

export const fullDisk = {
  kind: "full-disk",
  stores: ["sqlite", "sqlite-encrypted"],
  async run(scene) {
    const disk = join(scene.folder, "disk");
    const path = join(disk, "memory.db");
    const file = join(scene.folder, "look.json");
    const look = [["settle"], ["look", file], ["close"], ["bytes", path]];
    const all = [[...prepared, ["close"]], actsOnFull(scene, path), look].map((acts) =>
      JSON.stringify({ seed: scene.seed, open: scene.at(path), acts: [["open"], ...acts] }),
    );
    const isMounted = hasOwnDisk && scene.random.chance(0.7);
    const script = scriptOf(isMounted, scene.random.between(0, 700));
    // All in one shell, as the disk goes when its last process does. Files that are too large are the nearest thing to it.
    const shell = isMounted ? ["unshare", "-m", "bash"] : ["bash"];
    const command = ([actor]) => ["env", [...shell, "-c", script, process.execPath, actor, disk, ...all]];
    const actor = await scene.perform([], { command });
    const forgotten = new Set(scene.ledger.forgotten());
    for (const mark of new Set(actor.said("inBytes").flat())) {
      if (forgotten.has(mark)) scene.note("kept", `${mark} was forgotten and is in the bytes`);
    }
    for (const code of actor.said("ended")) scene.note("aborts", `exit code ${code} on the full disk: ${actor.errors}`);
    if (existsSync(file)) scene.check(JSON.parse(readFileSync(file, "utf8")));
    else scene.note("unusable", `with room again: ${JSON.stringify(actor.said("refused").at(-1))}`);
  },
};

const prepared = [...numbers(0, preparedCount).map((number) => ["commit", { number, hasId: true }]), ["settle"]];

/** Commits until nothing fits, forgets, exports, tries again. */
function actsOnFull({ random, folder }, path) {
  const commits = numbers(100, 40).map((number) => ["commit", { number }]);
  const some = random.shuffle(numbers(0, preparedCount)).slice(0, 6);
  const [edited, pinned, ...forgotten] = some;
  const changes = [
    ["edit", { number: edited, version: 1 }],
    ["pin", pinned],
    ...forgotten.map((number) => ["forget", [number]]),
  ];
  const reads = [
    ["exportTo", { person: "ada", file: join(folder, "ada.jsonl") }],
    ["recall", question],
  ];
  const more = numbers(200, 4).map((number) => ["commit", { number, hasId: true }]);
  const parts = random.chance(0.5) ? [...commits, ...changes] : [...changes, ...commits];
  return [...parts, ...reads, ...more, ["close"], ["bytes", path]];
}

/** Prepares a database, fills the disk up to some room, lets it be used, makes room again, and looks. */
function scriptOf(isMounted, roomKilobytes) {
  const ballast = `$(( (${diskKilobytes - roomKilobytes} - used) * 1024 ))`;
  return `set -e; mkdir -p "$2"
    ${isMounted ? `mount -t tmpfs -o size=${diskKilobytes}k none "$2"` : ""}
    "$0" "$1" "$3"
    used=$(du -k "$2" | cut -f1)
    ${isMounted ? `head -c ${ballast} /dev/zero > "$2/ballast"` : ""}
    ( ${isMounted ? "" : `ulimit -f $(( used + ${roomKilobytes} ));`}
      "$0" "$1" "$4" || echo "{\\"word\\":\\"ended\\",\\"value\\":$?}" )
    rm -f "$2/ballast"
    "$0" "$1" "$5"`;
}
