import { MemoryStore } from "../memory/store.js";
export class RedisStore extends MemoryStore {
  static async open(_o: { url: string }) {
    return new RedisStore();
  }
}
