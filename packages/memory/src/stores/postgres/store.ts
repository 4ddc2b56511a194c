import { MemoryStore } from "../memory/store.js";
export class PostgresStore extends MemoryStore {
  static async open(_o: { url: string }) {
    return new PostgresStore();
  }
}
