/**
 * Tables of the SQLite store and their migrations. The n-th migration leads from schema version n - 1 to n; a released
 * migration is never edited, and a database frozen at every version must still open (see test/fixtures).
 *
 * Keys inside the file are integers, so an edge takes a few bytes; foreign keys ensure that no edge outlives its
 * memories and no memory its interaction. What was said lies in the file as bytes, because reading damaged bytes as text
 * ends the process; every row has a mark (mark.ts).
 */
import { StoreError } from "../../../errors.js";
import type { SqliteConnection } from "./connection.js";
import { repackContents } from "./repacking.js";
import { rewriteRows } from "./rewriting.js";

/** "MNEM": distinguishes our files from other SQLite databases. */
export const applicationId = 0x4d4e454d;

/** SQL, and what SQL cannot do with the rows that are there. */
interface Migration {
  readonly sql: string;
  readonly rewrite?: (connection: SqliteConnection) => void;
  /** The same, for what can be read as it is: left out where the file is damaged. */
  readonly repack?: (connection: SqliteConnection) => void;
}

const original = `
  CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE cache (
    name TEXT PRIMARY KEY,
    bytes BLOB NOT NULL
  );

  CREATE TABLE person (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    revision INTEGER NOT NULL,
    -- A reader whose revision is below this has to load everything: something was forgotten without a trace.
    whole_below INTEGER NOT NULL,
    core_summary TEXT,
    commits_since_core_summary INTEGER NOT NULL DEFAULT 0
  );

  CREATE TABLE interaction (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    person INTEGER NOT NULL REFERENCES person (key) ON DELETE CASCADE,
    id TEXT NOT NULL,
    init_ms REAL NOT NULL,
    accepted_ms REAL NOT NULL,
    body TEXT NOT NULL,
    restored INTEGER NOT NULL DEFAULT 0,
    outcome TEXT NOT NULL,
    trace TEXT,
    UNIQUE (person, id)
  );
  CREATE INDEX interaction_queue ON interaction (person, sequence) WHERE outcome = 'queued';

  CREATE TABLE memory (
    key INTEGER PRIMARY KEY,
    person INTEGER NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    init_ms REAL NOT NULL,
    pair_id TEXT,
    summary_text TEXT NOT NULL,
    full_text TEXT NOT NULL,
    state TEXT,
    keywords TEXT NOT NULL,
    hypothetical_query TEXT NOT NULL,
    statements TEXT NOT NULL,
    -- Summary vector, then the hypothetical vector if there is a hypothetical query, then one per statement.
    vectors BLOB NOT NULL,
    meta_phrase TEXT,
    meta_from_ms REAL,
    meta_until_ms REAL,
    meta_vector BLOB,
    UNIQUE (person, id),
    FOREIGN KEY (person, id) REFERENCES interaction (person, id) ON DELETE CASCADE
  );
  CREATE INDEX memory_revision ON memory (person, revision);

  CREATE TABLE edge (
    a INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
    b INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
    person INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    weight REAL NOT NULL,
    boost_ms REAL NOT NULL,
    boosted_ms REAL,
    PRIMARY KEY (a, b)
  ) WITHOUT ROWID;
  CREATE INDEX edge_b ON edge (b);
  CREATE INDEX edge_revision ON edge (person, revision);

  -- What was removed lately, so that other processes need not load everything again. b is null for a memory.
  CREATE TABLE removal (
    person INTEGER NOT NULL REFERENCES person (key) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    a TEXT NOT NULL,
    b TEXT
  );
  CREATE INDEX removal_revision ON removal (person, revision);
  `;

const tally = (person: string, changes: string): string => `UPDATE tally SET ${changes} WHERE person = ${person};`;

/** Counts rows and sums up their marks, modulo 2^48 (see addMarks). */
const tallyTriggers = (table: string, more: Readonly<Record<"NEW" | "OLD", string>>): string => {
  const plus = (row: "NEW" | "OLD", sign: "+" | "-"): string =>
    `${table}_count = ${table}_count ${sign} 1, ${table}_marks = (${table}_marks ${sign} ${row}.mark) & 0xffffffffffff${more[row]}`;
  return `
  CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN ${tally("NEW.person", plus("NEW", "+"))} END;
  CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} BEGIN ${tally("OLD.person", plus("OLD", "-"))} END;
  CREATE TRIGGER ${table}_changed AFTER UPDATE OF mark ON ${table} BEGIN
    ${tally("OLD.person", plus("OLD", "-"))} ${tally("NEW.person", plus("NEW", "+"))}
  END;`;
};

const withMarks = `
  ALTER TABLE setting RENAME TO old_setting;
  CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL,
    mark INTEGER NOT NULL
  ) WITHOUT ROWID;

  DROP TABLE cache;
  CREATE TABLE cache (
    name TEXT PRIMARY KEY,
    bytes BLOB NOT NULL,
    mark INTEGER NOT NULL
  );

  ALTER TABLE person RENAME TO old_person;
  ALTER TABLE interaction RENAME TO old_interaction;
  ALTER TABLE memory RENAME TO old_memory;
  ALTER TABLE edge RENAME TO old_edge;
  DROP TABLE removal;
  DROP INDEX interaction_queue;
  DROP INDEX memory_revision;
  DROP INDEX edge_b;
  DROP INDEX edge_revision;

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
  ${tallyTriggers("interaction", {
    NEW: ", id_marks = (id_marks + NEW.id_mark) & 0xffffffffffff, queued_count = queued_count + (NEW.outcome = 'queued')",
    OLD: ", id_marks = (id_marks - OLD.id_mark) & 0xffffffffffff, queued_count = queued_count - (OLD.outcome = 'queued')",
  })}

  CREATE TABLE memory (
    key INTEGER PRIMARY KEY,
    person INTEGER NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    pair_id TEXT,
    -- Of everything above, and of the mark of the content.
    mark INTEGER NOT NULL,
    content_mark INTEGER NOT NULL,
    content BLOB NOT NULL,
    -- Vector of the naturalized time: a cache with a checksum of its own, because it changes by itself.
    meta BLOB,
    UNIQUE (person, id),
    FOREIGN KEY (person, id) REFERENCES interaction (person, id) ON DELETE CASCADE
  );
  CREATE INDEX memory_revision ON memory (person, revision);
  ${tallyTriggers("memory", { NEW: "", OLD: "" })}

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
  ${tallyTriggers("edge", { NEW: "", OLD: "" })}

  -- What was removed lately, so that other processes need not load everything again. b is null for a memory.
  CREATE TABLE removal (
    person INTEGER NOT NULL REFERENCES person (key) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    a TEXT NOT NULL,
    b TEXT,
    mark INTEGER NOT NULL
  );
  CREATE INDEX removal_revision ON removal (person, revision);
  `;

/** The memories that a memory made outdated, as JSON; its mark includes them if there are any, so rows stay as they are. */
const withUpdates = "ALTER TABLE memory ADD COLUMN updates BLOB;";

/**
 * The area to which a memory is pinned; its mark includes it if there is one, as above. What of a memory lasts is part of
 * its content, and the facts of a core summary part of that: where older rows say nothing of them, there are none.
 */
const withPins = "ALTER TABLE memory ADD COLUMN pinned_area BLOB;";

/**
 * Token vectors of a memory, apart from it: they are large and read for a few memories at a time. The questions that a
 * memory answers and the vector of its topic are part of its content: where older rows say nothing of them, there are none.
 */
const withTokens = `
  CREATE TABLE token (
    memory INTEGER PRIMARY KEY REFERENCES memory (key) ON DELETE CASCADE,
    -- Of the bytes, and of the memory and the content that they were made from.
    mark INTEGER NOT NULL,
    bytes BLOB NOT NULL
  );
  `;

/**
 * Vectors of naturalized times, apart from the memory: they change by themselves, and the memory need not be written
 * again; `memory.meta` is no longer used. The content of a memory has another form since (content.ts), which begins with
 * a mark.
 */
const withPackedContents = `
  CREATE TABLE meta (
    memory INTEGER PRIMARY KEY REFERENCES memory (key) ON DELETE CASCADE,
    bytes BLOB NOT NULL
  );
  `;

/**
 * What a caller notes about an interaction is part of its body; its memory has a copy. When it expires has a column by
 * which it is found, and is part of the marks where there is such a time, so rows stay as they are. A history is read in
 * parts by the order of acceptance.
 */
const withMetadata = `
  ALTER TABLE interaction ADD COLUMN expires_ms REAL;
  ALTER TABLE memory ADD COLUMN metadata BLOB;
  ALTER TABLE memory ADD COLUMN expires_ms REAL;
  ALTER TABLE tally ADD COLUMN expiring_count INTEGER NOT NULL DEFAULT 0;
  DROP TRIGGER interaction_added;
  DROP TRIGGER interaction_removed;
  DROP TRIGGER interaction_changed;
  ${tallyTriggers("interaction", {
    NEW: `, id_marks = (id_marks + NEW.id_mark) & 0xffffffffffff, queued_count = queued_count + (NEW.outcome = 'queued'),
      expiring_count = expiring_count + (NEW.expires_ms IS NOT NULL)`,
    OLD: `, id_marks = (id_marks - OLD.id_mark) & 0xffffffffffff, queued_count = queued_count - (OLD.outcome = 'queued'),
      expiring_count = expiring_count - (OLD.expires_ms IS NOT NULL)`,
  })}
  `;

/** For speed alone; where the file is damaged, the answers are the same without them. */
function indexInteractions(connection: SqliteConnection): void {
  connection.run("CREATE INDEX interaction_expiry ON interaction (expires_ms) WHERE expires_ms IS NOT NULL", []);
  connection.run("CREATE INDEX interaction_order ON interaction (person, sequence)", []);
}

export const migrations: readonly Migration[] = [
  { sql: original },
  { sql: withMarks, rewrite: rewriteRows },
  { sql: withUpdates },
  { sql: withPins },
  { sql: withTokens },
  { sql: withPackedContents, repack: repackContents },
  { sql: withMetadata, repack: indexInteractions },
];

/** Refuses a database with tables that is not ours, or from a release that is newer than this one. */
export function checkHeader(path: string, foundId: number, version: number): void {
  if (foundId !== applicationId) {
    throw new StoreError("store_not_ours", `${path} is another program's database; choose another path`);
  }
  if (version > migrations.length) {
    throw new StoreError(
      "store_newer",
      `${path} has schema version ${version}, but this release supports ${migrations.length}; update mnemosyne-edge`,
    );
  }
}
