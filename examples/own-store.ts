/**
 * A custom store: another store, with an audit log of who was written to. A real one implements the same methods on top of
 * your database, and passes the checks of `mnemosyne-edge/store/conformance`.
 */
import { Mnemosyne, type RecordChange, type Store } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";

function audited(store: Store, log: (line: string) => void): Store {
  async function write(person: string, base: number, change: RecordChange): Promise<number>;
  async function write(person: string, base: number | null, change: RecordChange): Promise<number | null>;
  async function write(person: string, base: number | null, change: RecordChange): Promise<number | null> {
    const revision = await store.write(person, base, change);
    if (revision !== null) log(`${person}: ${change.put?.length ?? 0} put, ${change.delete?.length ?? 0} deleted`);
    return revision;
  }
  return {
    kind: store.kind,
    write,
    async erase(person) {
      log(`${person}: erased`);
      return store.erase(person);
    },
    describe: () => store.describe(),
    read: (person, selection) => store.read(person, selection),
    persons: (selection) => store.persons(selection),
    due: (list, selection) => store.due(list, selection),
    lease: (person, owner, ms) => store.lease(person, owner, ms),
    damage: () => store.damage(),
    close: () => store.close(),
  };
}

const audit: string[] = [];
const store = audited(new MemoryStore(), (line) => audit.push(line));
const mnemosyne = await Mnemosyne.open({ store });
await mnemosyne.person("ada").commit("I repair clarinets for a living.", { wait: true });
process.stdout.write(`${audit.join("\n")}\n`);
await mnemosyne.close();
