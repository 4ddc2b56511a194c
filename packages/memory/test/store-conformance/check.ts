/** The shape of a store check. */
import assert from "node:assert/strict";
import { MnemosyneError } from "../../src/errors.js";
import type { Store } from "../../src/engine/records/person-data.js";

export interface ConformanceCheck {
  readonly name: string;
  readonly check: (openStore: () => Promise<Store>) => Promise<void>;
}

export function check(name: string, run: (store: Store) => Promise<void>): ConformanceCheck {
  return {
    name,
    check: async (openStore) => {
      const store = await openStore();
      try {
        await run(store);
      } finally {
        await store.close();
      }
    },
  };
}

export async function rejects(work: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(work, (error) => error instanceof MnemosyneError && error.code === code);
}
