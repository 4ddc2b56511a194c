/** The end of a store. */
import { StoreError } from "../../errors.js";
import type { Store } from "../store.js";
import { ada, change, check, numbered, put, readMoving, should, shouldHold, shouldRefuse } from "./check.js";

const calls: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  describe: (store) => store.describe(),
  read: (store) => store.read(ada),
  "write with a base": (store) => store.write(ada, 0, { put: [put("a")] }),
  "write without a base": (store) => store.write(ada, null, { put: [put("a")] }),
  persons: (store) => store.persons(),
  due: (store) => store.due("queue", { before: 1, limit: 1 }),
  lease: (store) => store.lease(ada, "one", 1_000),
  damage: (store) => store.damage(),
  erase: (store) => store.erase(ada),
};

export const closingChecks = [
  check("after it was closed, every call is refused", async (store) => {
    await change(store, ada, [put("a")]);
    await store.close();
    for (const [name, call] of Object.entries(calls)) {
      await shouldRefuse(`refuse ${name} after close`, call(store), "store_closed");
    }
    should("be closed twice without an error", await store.close().catch(String), undefined);
  }),

  check("what is under way when a store is closed ends, or says that the store was closed", async (store) => {
    await change(store, ada, numbered(2_000));
    const { pages } = await store.read(ada);
    const works = [
      store.write(ada, null, { put: [put("a")] }),
      readMoving(store),
      store.persons(),
      store.close(),
      store.close(),
      (async () => {
        for await (const { records } of pages) shouldHold("return records or an error", records.length > 0);
      })(),
    ];
    for (const each of await Promise.allSettled(works)) {
      if (each.status === "fulfilled") continue;
      const { reason } = each as { readonly reason: unknown };
      const isSaid = reason instanceof StoreError && reason.code === "store_closed";
      shouldHold(`fail only because it was closed, not by: ${String(reason)}`, isSaid);
    }
  }),
];
