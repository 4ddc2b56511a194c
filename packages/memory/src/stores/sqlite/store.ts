import { MemoryStore } from "../memory/store.js";
export class SqliteStore extends MemoryStore {
  static async open(_o: { path: string }) {
    return new SqliteStore();
  }
}
