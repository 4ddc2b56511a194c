/**
 * A custom store. This one is the store in memory with an audit log of who was read. A real one implements `Store` on top
 * of your database and passes the checks in `packages/memory/src/stores/conformance`.
 */
import { Mnemosyne, type ReadSelection, type RecordSnapshot } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";

class AuditedStore extends MemoryStore {
  readonly audit = new Set<string>();

  override async read(person: string, selection?: ReadSelection): Promise<RecordSnapshot> {
    // "" has what belongs to everybody.
    if (person !== "") this.audit.add(person);
    return super.read(person, selection);
  }
}

const store = new AuditedStore();
const mnemosyne = await Mnemosyne.open({ store });
await mnemosyne.person("ada").commit("I repair clarinets for a living.", { wait: true });
process.stdout.write(`${(await mnemosyne.describe()).store.kind}, read: ${[...store.audit].join(", ")}\n`);
await mnemosyne.close();
