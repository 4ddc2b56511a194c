/** A list that comes in pages, as in the library: awaited, a page, or everything without a limit; in `for await`, everything. */
import type { Listing, Page } from "mnemosyne-edge";

export interface PageQuery {
  readonly limit: string;
  readonly cursor: string | undefined;
}

interface Options {
  readonly limit?: number;
  readonly cursor?: string;
}

type ReadPage<T> = (query: PageQuery) => Promise<{ readonly entries: T[]; readonly nextCursor: string | null }>;

/** The most that the server gives at a time. */
const pageLimit = 1_000;

export class ClientListing<T> implements Listing<T> {
  readonly [Symbol.toStringTag] = "Listing";
  readonly #options: Options;
  readonly #read: ReadPage<T>;
  #page: Promise<Page<T>> | undefined;

  constructor(options: Options, read: ReadPage<T>) {
    this.#options = options;
    this.#read = read;
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

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    const { limit = pageLimit } = this.#options;
    let { cursor } = this.#options;
    for (;;) {
      const { entries, nextCursor } = await this.#read({ limit: String(limit), cursor });
      yield* entries;
      if (nextCursor === null) return;
      cursor = nextCursor;
    }
  }

  #firstPage(): Promise<Page<T>> {
    this.#page ??= this.#readPage();
    return this.#page;
  }

  async #readPage(): Promise<Page<T>> {
    const { limit, cursor } = this.#options;
    if (limit !== undefined) {
      const { entries, nextCursor } = await this.#read({ limit: String(limit), cursor });
      return toPage(entries, nextCursor);
    }
    const all: T[] = [];
    for await (const entry of this) all.push(entry);
    return toPage(all, null);
  }
}

/** Not enumerable, as in the library. */
function toPage<T>(entries: T[], nextCursor: string | null): Page<T> {
  return Object.defineProperty(entries, "nextCursor", { value: nextCursor }) as Page<T>;
}
