import type { StoreRecord } from "../../src/stores/store.js";

export function bytesOf(id: string): Buffer;
export function findContradictions(records: readonly StoreRecord[]): string[];
