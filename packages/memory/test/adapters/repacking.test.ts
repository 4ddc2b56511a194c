/** From schema 5 to 6: what a memory says is written in the form of now, and nothing else about it changes. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import { afterAll, describe, expect, it } from "vitest";
import { SqliteDatabase } from "../../src/adapters/store/sqlite/database.js";

const folder = mkdtempSync(join(tmpdir(), "mnemosyne-repacking-"));
afterAll(() => rmSync(folder, { recursive: true }));
let fileCount = 0;

const frozen = fileURLToPath(new URL("../fixtures/schema-5.db", import.meta.url));
const person = "Zoë";

function copyFrozen(): string {
  const path = join(folder, `${++fileCount}.db`);
  copyFileSync(frozen, path);
  return path;
}

interface Row {
  readonly key: number;
  readonly id: string;
  readonly revision: number;
  readonly form: string;
  readonly meta: Buffer | null;
}

const inFile = <Result>(path: string, work: (database: Database.Database) => Result): Result => {
  const database = new Database(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
};

/** Each with the first bytes of its content, and the vector of its naturalized time from where it belongs by then. */
const rowsOf = (path: string, meta: string): Row[] =>
  inFile(path, (database) =>
    (
      database
        .prepare(`SELECT m.key, m.id, m.revision, hex(substr(m.content, 1, 4)), ${meta} FROM memory m ORDER BY m.key`)
        .raw(true)
        .all() as unknown[][]
    ).map(([key, id, revision, form, bytes]) => ({ key, id, revision, form, meta: bytes }) as Row),
  );

const inRow = "m.meta";
const apart = "(SELECT bytes FROM meta t WHERE t.memory = m.key)";
const formOfNow = "FFFFFFFF";

/** Opens and closes the file, and says what is damaged and which memories have token vectors. */
function migrate(path: string): { damage: readonly unknown[]; tokens: Map<string, Uint8Array> } {
  const database = new SqliteDatabase({ path });
  try {
    const ids = rowsOf(path, "NULL").map(({ id }) => id);
    return { damage: database.damage(), tokens: database.tokens(person, ids) };
  } finally {
    database.close();
  }
}

describe("a file of schema 5", () => {
  it("has all its memories in the form of now after it was opened, with their tokens and vectors of times", () => {
    const path = copyFrozen();
    const before = rowsOf(path, inRow);
    const { damage, tokens } = migrate(path);
    expect(before.some(({ form }) => form === formOfNow)).toBe(false);
    expect(before.some(({ meta }) => meta !== null)).toBe(true);
    expect(damage).toEqual([]);
    expect([...tokens.values()].map(({ byteLength }) => byteLength).toSorted((x, y) => x - y)).toEqual([300, 5_000]);
    expect(rowsOf(path, apart)).toEqual(before.map((row) => ({ ...row, form: formOfNow })));
    expect(rowsOf(path, inRow).filter(({ meta }) => meta !== null)).toEqual([]);
  });

  it("keeps a damaged memory as it is and says so", () => {
    const path = copyFrozen();
    const { id, key } = rowsOf(path, inRow)[3]!;
    inFile(path, (database) =>
      database.prepare("UPDATE memory SET content = CAST(content || 'x' AS BLOB) WHERE key = ?").run([key]),
    );
    expect(migrate(path).damage).toEqual([{ person, id, part: "the memory is damaged" }]);
    const others = rowsOf(path, apart).filter((row) => row.form !== formOfNow);
    expect(others.map((row) => row.id)).toEqual([id]);
  });

  it("keeps a memory whose token vectors are damaged as it is and says so", () => {
    const path = copyFrozen();
    inFile(path, (database) => database.exec("UPDATE token SET mark = mark + 1"));
    const damage = migrate(path).damage as { id: string; part: string }[];
    expect(damage.map(({ part }) => part)).toEqual(["the token vectors are damaged", "the token vectors are damaged"]);
    const others = rowsOf(path, apart).filter((row) => row.form !== formOfNow);
    expect(others.map(({ id }) => id).toSorted()).toEqual(damage.map(({ id }) => id).toSorted());
  });

  it("keeps all memories as they are where one cannot be written", () => {
    const path = copyFrozen();
    const before = rowsOf(path, inRow);
    inFile(path, (database) =>
      database.exec(`CREATE TRIGGER hurt BEFORE UPDATE OF content ON memory WHEN OLD.key = ${before[5]!.key}
        BEGIN SELECT RAISE(ABORT, 'database disk image is malformed'); END;`),
    );
    expect(migrate(path).damage).toEqual([]);
    expect(rowsOf(path, inRow)).toEqual(before);
  });
});
