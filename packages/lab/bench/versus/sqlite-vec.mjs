/**
 * sqlite-vec with better-sqlite3, a `vec0` table with the text next to the vector: with floats, and with 8-bit numbers, its
 * fastest setting that needs no second pass. Vectors have length 1, so the default distance ranks like the cosine.
 */
import { join } from "node:path";
import { dimensions } from "../synthetic.mjs";
import { makeBatches, resultCount } from "./memories.mjs";
import { requirePackage } from "./packages.mjs";

export const sqliteVecFloat = defineSystem("sqlite-vec, floats", "sqlite-vec-float", `float[${dimensions}]`, "?");
export const sqliteVecByte = defineSystem(
  "sqlite-vec, 8 bits",
  "sqlite-vec-byte",
  `int8[${dimensions}]`,
  "vec_quantize_int8(?, 'unit')",
);

function defineSystem(name, folder, type, vectorSql) {
  return {
    name,
    packages: ["better-sqlite3", "sqlite-vec"],
    folder,
    vectorsPerMemory: 1,
    load: () => [requirePackage("better-sqlite3"), requirePackage("sqlite-vec")],
    fill: (path, count) => fill(openDatabase(path), type, vectorSql, count),
    async open(path) {
      const database = openDatabase(path);
      const select = database.prepare(
        `select id, text, distance from memories where embedding match ${vectorSql} and k = ${resultCount}`,
      );
      const insert = prepareInsert(database, vectorSql);
      return {
        search: async ({ vector }) => select.all(toBytes(vector)).map(({ id }) => id),
        store: async (memory) => insert(memory),
        close: () => database.close(),
      };
    },
  };
}

/** With a write-ahead log, synced at each commit, like Mnemosyne's own file. */
function openDatabase(folder) {
  const Database = requirePackage("better-sqlite3");
  const database = new Database(join(folder, "vectors.db"));
  requirePackage("sqlite-vec").load(database);
  database.pragma("journal_mode = wal");
  database.pragma("synchronous = full");
  return database;
}

function fill(database, type, vectorSql, count) {
  database.exec(`create virtual table memories using vec0(id integer primary key, embedding ${type}, +text text)`);
  const insert = prepareInsert(database, vectorSql);
  const insertAll = database.transaction((batch) => batch.forEach(insert));
  for (const batch of makeBatches(count)) insertAll(batch);
  database.close();
}

function prepareInsert(database, vectorSql) {
  const statement = database.prepare(`insert into memories (id, embedding, text) values (?, ${vectorSql}, ?)`);
  return ({ number, vector, text }) => statement.run(BigInt(number), toBytes(vector), text);
}

function toBytes({ buffer, byteOffset, byteLength }) {
  return Buffer.from(buffer, byteOffset, byteLength);
}
