/**
 * Tables of the SQLite store. There is one format; a file of another one is refused.
 *
 * Keys inside the file are integers, so an edge takes a few bytes; foreign keys ensure that no edge outlives its
 * memories and no memory its interaction. Texts are stored as bytes, because reading damaged bytes as text ends the
 * process; every row has a mark (mark.ts).
 */
import { StoreError } from "../../../errors.js";

/** "MNEM": distinguishes our files from other SQLite databases. */
const applicationId = 0x4d4e454d;
export const formatVersion = 8;

const tally = (person: string, changes: string): string => `UPDATE tally SET ${changes} WHERE person = ${person};`;

/** Counts rows and sums up their marks, modulo 2^48 (see addMarks). */
const tallyTriggers = (table: string, more: (row: "NEW" | "OLD", sign: "+" | "-") => string = () => ""): string => {
  const plus = (row: "NEW" | "OLD", sign: "+" | "-"): string =>
    `${table}_count = ${table}_count ${sign} 1, ${table}_marks = (${table}_marks ${sign} ${row}.mark) & 0xffffffffffff${more(row, sign)}`;
  return `
  CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN ${tally("NEW.person", plus("NEW", "+"))} END;
  CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} BEGIN ${tally("OLD.person", plus("OLD", "-"))} END;
  CREATE TRIGGER ${table}_changed AFTER UPDATE OF mark ON ${table} BEGIN
    ${tally("OLD.person", plus("OLD", "-"))} ${tally("NEW.person", plus("NEW", "+"))}
  END;`;
};

export const schema = `
  CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL,
    mark INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE cache (
    name TEXT PRIMARY KEY,
    bytes BLOB NOT NULL,
    mark INTEGER NOT NULL
  );

  CREATE TABLE person (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    revision INTEGER NOT NULL,
    -- A reader whose revision is below this has to load everything: something was forgotten without a trace.
    whole_below INTEGER NOT NULL,
    core_summary BLOB,
    commits_since_core_summary INTEGER NOT NULL,
    mark INTEGER NOT NULL
  );

  -- What the rows of a person add up to; kept by triggers.
  CREATE TABLE tally (
    person INTEGER PRIMARY KEY REFERENCES person (key) ON DELETE CASCADE,
    interaction_count INTEGER NOT NULL DEFAULT 0,
    interaction_marks INTEGER NOT NULL DEFAULT 0,
    id_marks INTEGER NOT NULL DEFAULT 0,
    queued_count INTEGER NOT NULL DEFAULT 0,
    expiring_count INTEGER NOT NULL DEFAULT 0,
    memory_count INTEGER NOT NULL DEFAULT 0,
    memory_marks INTEGER NOT NULL DEFAULT 0,
    edge_count INTEGER NOT NULL DEFAULT 0,
    edge_marks INTEGER NOT NULL DEFAULT 0
  );
  CREATE TRIGGER person_added AFTER INSERT ON person BEGIN INSERT INTO tally (person) VALUES (NEW.key); END;

  CREATE TABLE interaction (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    person INTEGER NOT NULL REFERENCES person (key) ON DELETE CASCADE,
    id TEXT NOT NULL,
    outcome TEXT NOT NULL,
    expires_ms REAL,
    -- Of everything but the body, whose mark it includes.
    mark INTEGER NOT NULL,
    -- Of the id alone, so that the index of ids can be checked without reading the rows.
    id_mark INTEGER NOT NULL,
    body_mark INTEGER NOT NULL,
    trace BLOB,
    -- Last, so that what comes before is read without it.
    body BLOB NOT NULL,
    UNIQUE (person, id)
  );
  CREATE INDEX interaction_queue ON interaction (person, sequence) WHERE outcome = 'queued';
  CREATE INDEX interaction_expiry ON interaction (expires_ms) WHERE expires_ms IS NOT NULL;
  CREATE INDEX interaction_order ON interaction (person, sequence);
  ${tallyTriggers(
    "interaction",
    (row, sign) => `, id_marks = (id_marks ${sign} ${row}.id_mark) & 0xffffffffffff,
      queued_count = queued_count ${sign} (${row}.outcome = 'queued'),
      expiring_count = expiring_count ${sign} (${row}.expires_ms IS NOT NULL)`,
  )}

  CREATE TABLE memory (
    key INTEGER PRIMARY KEY,
    person INTEGER NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    pair_id TEXT,
    -- JSON; null for an empty list.
    updates BLOB,
    pinned_area BLOB,
    metadata BLOB,
    expires_ms REAL,
    -- Of everything above, and of the mark of the content.
    mark INTEGER NOT NULL,
    content_mark INTEGER NOT NULL,
    content BLOB NOT NULL,
    UNIQUE (person, id),
    FOREIGN KEY (person, id) REFERENCES interaction (person, id) ON DELETE CASCADE
  );
  CREATE INDEX memory_revision ON memory (person, revision);
  ${tallyTriggers("memory")}

  -- Token vectors of a memory, apart from it: they are large and read for a few memories at a time.
  CREATE TABLE token (
    memory INTEGER PRIMARY KEY REFERENCES memory (key) ON DELETE CASCADE,
    -- Of the bytes, and of the memory and the content that they were made from.
    mark INTEGER NOT NULL,
    bytes BLOB NOT NULL
  );

  CREATE TABLE edge (
    a INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
    b INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
    person INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    weight REAL NOT NULL,
    boost_ms REAL NOT NULL,
    boosted_ms REAL,
    mark INTEGER NOT NULL,
    PRIMARY KEY (a, b)
  ) WITHOUT ROWID;
  CREATE INDEX edge_b ON edge (b);
  CREATE INDEX edge_revision ON edge (person, revision);
  ${tallyTriggers("edge")}

  -- What was removed lately, so that other processes need not load everything again. b is null for a memory.
  CREATE TABLE removal (
    person INTEGER NOT NULL REFERENCES person (key) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    a TEXT NOT NULL,
    b TEXT,
    mark INTEGER NOT NULL
  );
  CREATE INDEX removal_revision ON removal (person, revision);

  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${formatVersion};
`;

/** Refuses a database with tables that is not ours, or has another format. */
export function checkHeader(path: string, foundId: number, version: number): void {
  if (foundId !== applicationId) {
    throw new StoreError("store_not_ours", `${path} is another program's database; choose another path`);
  }
  if (version === formatVersion) return;
  throw new StoreError(
    "store_format",
    `${path} has format ${version}, but this release reads and writes format ${formatVersion} only; export it with the release that wrote it, and import that here`,
  );
}
