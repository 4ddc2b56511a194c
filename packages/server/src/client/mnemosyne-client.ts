/** A server's memory, as far as its key reaches. */
import type { Listing, ListingOptions } from "mnemosyne-edge";
import { MnemosyneClientError } from "./client-error.js";
import { ClientListing } from "./client-listing.js";
import { PersonClient } from "./person-client.js";
import { type ClientOptions, Requests } from "./requests.js";

export interface Health {
  readonly status: "ok";
}

export class MnemosyneClient {
  readonly #requests: Requests;

  constructor(options: ClientOptions) {
    this.#requests = new Requests(options);
  }

  /** One person's memory. Without a name, that of the only one; a name that is undefined is refused. */
  person(name?: string): PersonClient;
  person(...names: readonly (string | undefined)[]): PersonClient {
    const name = names.length === 0 ? "default" : names[0];
    if (typeof name === "string") return new PersonClient(name, this.#requests);
    const detail = "person needs a name; without any argument it is that of the only one";
    throw new MnemosyneClientError({ status: 0, code: "person_invalid", detail });
  }

  /** Everybody in the store, sorted by name, for a key that may see everybody; else whom the key names. */
  persons(options: ListingOptions = {}): Listing<string> {
    return new ClientListing(options, async (query) => {
      const page = await this.#requests.json<{ persons: string[]; nextCursor: string | null }>("/v1/persons", {
        query: { ...query },
      });
      return { entries: page.persons, nextCursor: page.nextCursor };
    });
  }

  /** Whether the server lives. */
  health(): Promise<Health> {
    return this.#requests.json("/health");
  }
}
