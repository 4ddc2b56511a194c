/**
 * A list that comes in pages: awaited, it is one page with the cursor of the next; in `for await`, everything, page by page.
 * Nothing is read before either begins. A cursor names a place, not an entry, so it stays valid when what was there is
 * forgotten; it belongs to one list of one person.
 */
import { createHash } from "node:crypto";
import { InputError } from "./errors.js";

export interface ListingOptions {
  /** Entries of a page, 1 to 1,000; all if omitted. */
  readonly limit?: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
}

/** Entries, and the cursor of the next page; null if this is the last one. */
export type Page<T> = T[] & { readonly nextCursor: string | null };

/** Awaited, one page; in `for await`, everything, page by page. Nothing is read before either begins. */
export type Listing<T> = Promise<Page<T>> & AsyncIterable<T>;

/** Where a page begins, and how many entries it may have; null for all. */
export interface PageRequest {
  readonly after: string | null;
  readonly limit: number | null;
}

/** An entry with its place in the list. */
export interface PlacedEntry<T> {
  readonly entry: T;
  readonly place: string;
}

/** Returns one more than the limit, if there are so many: then there is a next page. */
type ReadPage<T> = (request: PageRequest) => Promise<readonly PlacedEntry<T>[]>;

export interface ListingSource<T> {
  /** What the list is called, and whose it is; null for nobody's. */
  readonly name: string;
  readonly person: string | null;
  /** Checks the options as they were given, when the listing begins. */
  readonly begin: () => { readonly limit?: unknown; readonly cursor?: unknown; readonly readPage: ReadPage<T> };
}

const limitMax = 1_000;
/** Entries that are read at a time in `for await` without a limit. */
const iteratedLimit = 500;
const cursorLengthMax = 2_000;

export class PagedListing<T> implements Promise<Page<T>>, AsyncIterable<T> {
  readonly [Symbol.toStringTag] = "Listing";
  readonly #source: ListingSource<T>;
  #page: Promise<Page<T>> | undefined;

  constructor(source: ListingSource<T>) {
    this.#source = source;
  }

  // eslint-disable-next-line unicorn/no-thenable -- whoever awaits a list gets a page of it
  then<Result = Page<T>, Refusal = never>(
    onPage?: ((page: Page<T>) => Result | PromiseLike<Result>) | null,
    onError?: ((reason: unknown) => Refusal | PromiseLike<Refusal>) | null,
  ): Promise<Result | Refusal> {
    return this.#firstPage().then(onPage, onError);
  }

  catch<Refusal = never>(
    onError?: ((reason: unknown) => Refusal | PromiseLike<Refusal>) | null,
  ): Promise<Page<T> | Refusal> {
    return this.#firstPage().catch(onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Page<T>> {
    return this.#firstPage().finally(onEnd);
  }

  /** Everything from the cursor on, read `limit` at a time. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    const { after, limit, readPage } = this.#begin();
    let page = await this.#read(readPage, { after, limit: limit ?? iteratedLimit });
    for (;;) {
      yield* page;
      if (page.nextCursor === null) return;
      page = await this.#read(readPage, { after: this.#placeOf(page.nextCursor), limit: limit ?? iteratedLimit });
    }
  }

  #firstPage(): Promise<Page<T>> {
    this.#page ??= (async () => {
      const { readPage, ...request } = this.#begin();
      return this.#read(readPage, request);
    })();
    return this.#page;
  }

  #begin(): PageRequest & { readonly readPage: ReadPage<T> } {
    const { limit, cursor, readPage } = this.#source.begin();
    return { after: cursor === undefined ? null : this.#placeOf(cursor), limit: parseLimit(limit), readPage };
  }

  async #read(readPage: ReadPage<T>, request: PageRequest): Promise<Page<T>> {
    const found = await readPage(request);
    const placed = request.limit === null ? found : found.slice(0, request.limit);
    const nextCursor = placed.length < found.length ? this.#cursorAt(placed.at(-1)!.place) : null;
    // Not enumerable, so that a page is compared and printed like any other array.
    const entries = placed.map(({ entry }) => entry);
    return Object.defineProperty(entries, "nextCursor", { value: nextCursor }) as Page<T>;
  }

  #cursorAt(place: string): string {
    return Buffer.from(JSON.stringify([this.#source.name, this.#owner(), place])).toString("base64url");
  }

  #placeOf(cursor: unknown): string {
    const [name, owner, place] = readCursor(cursor);
    if (name === this.#source.name && owner === this.#owner() && typeof place === "string") return place;
    throw new InputError("option_invalid", `the cursor is not one of this ${this.#source.name}; ${cursorHint}`);
  }

  /** Of a name nothing but this is in the cursor, which may end up in an address or a log. */
  #owner(): string {
    const { person } = this.#source;
    return person === null ? "" : createHash("sha256").update(person).digest("base64url").slice(0, 16);
  }
}

const cursorHint = "pass `nextCursor` of a page of the same list as it is";

function readCursor(cursor: unknown): unknown[] {
  if (typeof cursor === "string" && cursor.length <= cursorLengthMax) {
    try {
      const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
      if (Array.isArray(parts)) return parts;
    } catch {
      // Refused below, like everything else that is none.
    }
  }
  throw cursorRefusal();
}

/** For what looks like a cursor and is none. */
export function cursorRefusal(): InputError {
  return new InputError("option_invalid", `the cursor is none; ${cursorHint}`);
}

function parseLimit(limit: unknown): number | null {
  if (limit === undefined) return null;
  if (Number.isInteger(limit) && (limit as number) >= 1 && (limit as number) <= limitMax) return limit as number;
  const shown = typeof limit === "number" ? String(limit) : `a ${typeof limit}`;
  throw new InputError("option_invalid", `limit is ${shown}; it must be an integer from 1 to ${limitMax}`);
}
