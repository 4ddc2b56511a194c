/**
 * The port of a store: records of persons, kept atomically and from one moment. A record is bytes under a kind and an id;
 * kinds, ids and bytes belong to the engine, and a store never looks inside. It knows order (the place of a record), change
 * (its version, and the revision of a person), two lists of what is due, and nothing else.
 *
 * Everything belongs to a person. The person "" holds what is everybody's; no list of persons names it.
 */

/** The two lists on which a record may be: work that waits, and what has to be gone by a time. */
export type DueList = "queue" | "expiry";
export const dueLists: readonly DueList[] = ["queue", "expiry"];

export interface RecordKey {
  readonly kind: string;
  readonly id: string;
}

export interface StoreRecord extends RecordKey {
  readonly bytes: Uint8Array;
  /** The lists it is on, and its number there: a time, or 0. Absent from both if omitted. */
  readonly due?: Readonly<Partial<Record<DueList, number>>>;
}

/** A record as a store returns it. */
export interface StoredRecord extends StoreRecord {
  /** Grows in the order in which records were first put; stays when a record is put again; never used twice for a person. */
  readonly place: number;
  /** Grows with every put of anything of the person. */
  readonly version: number;
}

export interface RecordPut extends StoreRecord {
  /** The version that it replaces; 0 if there must be none. Without it, anything is replaced. */
  readonly was?: number;
}

export interface RecordChange {
  readonly put?: readonly RecordPut[];
  /** Gone without a trace, from the files of the store, too; unknown ones are skipped. */
  readonly delete?: readonly RecordKey[];
}

/** All conditions hold together. */
export interface ReadSelection {
  /** Only what was put after this revision; everything if the store can no longer tell (something was deleted since). */
  readonly since?: number;
  readonly kinds?: readonly string[];
  readonly ids?: readonly string[];
  /** Only what is on this list. */
  readonly due?: DueList;
  /** By falling places instead of growing ones. */
  readonly newestFirst?: boolean;
  /** Only those that come after this place, in the order that is asked for. */
  readonly after?: number;
  readonly limit?: number;
}

/** Part of a person, from one moment. */
export interface RecordSnapshot {
  /** Of the moment: 0 if there is nobody. Final once the pages are read. */
  readonly revision: number;
  /** False if it is a difference, that is, only what was put after `since`. */
  readonly isWhole: boolean;
  /** Can be read once. By place, each page after the one before, so that a large person never has to be in one piece. */
  readonly pages: AsyncIterable<RecordPage>;
}

export interface RecordPage {
  /** Their bytes are often views of one larger piece, each aligned to four. */
  readonly records: readonly StoredRecord[];
  /** Records of the selection that are damaged or missing, which are not among `records`. */
  readonly damage: readonly StoreDamage[];
}

/** Something in the store that is not what was written. */
export interface StoreDamage {
  /** Null if it is nobody's, or nobody knows whose. */
  readonly person: string | null;
  /** Null where it is not about one record, such as a list that is too short. */
  readonly kind: string | null;
  readonly id: string | null;
  /** What is wrong, such as "the record is damaged". */
  readonly part: string;
}

export interface PersonSelection {
  /** Only those after this name, by the bytes of UTF-8, whether somebody is called so or not. */
  readonly after?: string;
  readonly limit?: number;
}

export interface DueSelection {
  /** Only numbers up to this one. */
  readonly before: number;
  /** At most so many persons. */
  readonly limit: number;
  /** Only this person. */
  readonly person?: string;
}

/** A person with something due. */
export interface DuePerson {
  readonly person: string;
  /** The smallest number. */
  readonly at: number;
  /** How many records are due. */
  readonly count: number;
}

export interface StoreDescription {
  readonly kind: string;
  readonly location: string;
  /** Bytes the store occupies. */
  readonly byteCount: number;
  /** What is not as it should be although the store works, each as a sentence. */
  readonly warnings?: readonly string[];
}

export interface Store {
  readonly kind: string;
  /** Whether it compares all that it returns with a checksum of its own; then that of a plain record is not compared again. */
  readonly isChecking?: boolean;
  describe(): Promise<StoreDescription>;

  read(person: string, selection?: ReadSelection): Promise<RecordSnapshot>;
  /**
   * Writes all of a change or nothing; durable when the promise resolves. Returns the revision of the person after it: it
   * grows with every change that has a base, and never repeats, even if a person is erased and comes back.
   *
   * With a base (0 for an unknown person), the change was computed on that revision: if it is no longer the newest, or a
   * record is not the version that the change replaces, it throws StaleRevisionError. Without a base (null) nothing was
   * computed on the person, the revision stays, and the answer is null if a record is not the version named.
   *
   * A person of whom the change leaves nothing is unknown again.
   */
  write(person: string, baseRevision: number, change: RecordChange): Promise<number>;
  write(person: string, baseRevision: number | null, change: RecordChange): Promise<number | null>;

  /** Persons of whom there is anything, by name. */
  persons(selection?: PersonSelection): Promise<string[]>;
  /** Persons with something on a list, the smallest number first. */
  due(list: DueList, selection: DueSelection): Promise<DuePerson[]>;
  /**
   * Takes or renews, for a time, the right to work on a person; 0 ms gives it back. False while another owner has it. It only
   * saves work that another process is doing: correctness does not depend on it. It goes with the person.
   */
  lease(person: string, owner: string, ms: number): Promise<boolean>;
  /** Everything that is damaged; empty when all is whole. */
  damage(): Promise<StoreDamage[]>;
  /** Removes everything of a person, even where it is damaged, from the files of the store, too; returns how many records. */
  erase(person: string): Promise<number>;
  close(): Promise<void>;
}
