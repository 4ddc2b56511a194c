/** The bytes of everything that SQLite keeps for a database. */
import { existsSync, readFileSync } from "node:fs";

const endings = ["", "-wal", "-shm", "-journal"];

export function filesIn(path) {
  const files = endings.map((ending) => path + ending).filter((file) => existsSync(file));
  return Buffer.concat(files.map((file) => readFileSync(file)));
}
