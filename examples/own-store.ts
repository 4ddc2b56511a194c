/**
 * A custom store. This one is the store in memory with an audit log of who was written to. A real one implements
 * `Store` on top of your database and passes the checks in `packages/memory/test/store-conformance`.
 */
import { type Batch, Mnemosyne } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";

class AuditedStore extends MemoryStore {
  readonly audit: string[] = [];

  override async apply(person: string, batch: Batch): Promise<number> {
    const revision = await super.apply(person, batch);
    this.audit.push(`revision ${revision} of ${person}`);
    return revision;
  }
}

const store = new AuditedStore();
const mnemosyne = await Mnemosyne.open({ store });
await mnemosyne.person("ada").commit("I repair clarinets for a living.", { wait: true });
process.stdout.write(`${(await mnemosyne.describe()).store.kind}, ${store.audit.at(-1)}\n`);
await mnemosyne.close();
