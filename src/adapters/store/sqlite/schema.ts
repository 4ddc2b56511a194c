/**
 * Tables of the SQLite store and their migrations. The n-th migration leads from schema version n to n + 1; a released
 * migration is never edited, and a database frozen at every version must still open (see test/fixtures).
 *
 * Keys inside the file are integers, so an edge takes a few bytes; foreign keys ensure that no edge outlives its
 * memories and no memory its interaction.
 */

/** "MNEM": distinguishes our files from other SQLite databases. */
export const applicationId = 0x4d4e454d;

export const migrations: readonly string[] = [
  `
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
  `,
];
