/**
 * Tables of the SQLite store. Names and ids are stored as bytes, because reading damaged bytes as text ends the process;
 * every row has a mark. A kind is a small number, so that a row and its entries in the indexes stay small.
 */
const tally = (row: "NEW" | "OLD", sign: "+" | "-"): string =>
  `INSERT INTO tally VALUES (${row}.person, ${row}.kind, ${sign}1, (0 ${sign} ${row}.mark) & 0xffffffffffff)
    ON CONFLICT (person, kind) DO UPDATE
    SET count = count + excluded.count, marks = (marks + excluded.marks) & 0xffffffffffff;`;

export const tables = `
  CREATE TABLE kind (key INTEGER PRIMARY KEY AUTOINCREMENT, name BLOB NOT NULL, mark INTEGER NOT NULL);
  CREATE TABLE person (key INTEGER PRIMARY KEY, name BLOB NOT NULL, sequence INTEGER NOT NULL,
    revision INTEGER NOT NULL, whole_below INTEGER NOT NULL, mark INTEGER NOT NULL);
  CREATE UNIQUE INDEX person_name ON person (name);
  CREATE TABLE lease (person BLOB PRIMARY KEY, owner BLOB NOT NULL, until_ms INTEGER NOT NULL,
    process INTEGER NOT NULL) WITHOUT ROWID;

  -- The bytes are last, so that what comes before is read without them.
  CREATE TABLE record (place INTEGER PRIMARY KEY AUTOINCREMENT, person INTEGER NOT NULL, kind INTEGER NOT NULL,
    id BLOB NOT NULL, version INTEGER NOT NULL, queue REAL, expiry REAL, mark INTEGER NOT NULL, bytes BLOB NOT NULL);
  CREATE UNIQUE INDEX record_id ON record (person, kind, id);
  CREATE INDEX record_kind ON record (person, kind);
  CREATE INDEX record_version ON record (person, version);
  CREATE INDEX record_queue ON record (queue, person) WHERE queue IS NOT NULL;
  CREATE INDEX record_expiry ON record (expiry, person) WHERE expiry IS NOT NULL;

  -- What the records of a person add up to; kept by triggers.
  CREATE TABLE tally (person INTEGER, kind INTEGER, count INTEGER NOT NULL, marks INTEGER NOT NULL,
    PRIMARY KEY (person, kind)) WITHOUT ROWID;
  CREATE TRIGGER record_added AFTER INSERT ON record BEGIN ${tally("NEW", "+")} END;
  CREATE TRIGGER record_removed AFTER DELETE ON record BEGIN ${tally("OLD", "-")} END;
  CREATE TRIGGER record_changed AFTER UPDATE OF mark ON record BEGIN ${tally("OLD", "-")} ${tally("NEW", "+")} END;
`;
