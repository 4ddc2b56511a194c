/**
 * A custom store, and the checks it has to pass. This one is the store in memory with an audit log of who was written
 * to. A real one implements `Store` on top of your database; the checks are the same.
 */
import { type Batch, Mnemosyne } from "mnemosyne-edge";
import { storeConformance } from "mnemosyne-edge/store/conformance";
import { MemoryStore } from "mnemosyne-edge/store/memory";

class AuditedStore extends MemoryStore {
  readonly audit: string[] = [];

  override async apply(person: string, batch: Batch): Promise<number> {
    const revision = await super.apply(person, batch);
    this.audit.push(`revision ${revision} of ${person}`);
    return revision;
  }
}

for (const { check } of storeConformance) await check(async () => new AuditedStore());
process.stdout.write(`${storeConformance.length} checks passed\n`);

const store = new AuditedStore();
const mnemosyne = await Mnemosyne.open({ store });
process.stdout.write(`${(await mnemosyne.describe()).store.kind}, ${store.audit.length} batches so far\n`);
await mnemosyne.close();
