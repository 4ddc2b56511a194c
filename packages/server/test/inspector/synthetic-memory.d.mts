import type { Memory } from "../../src/index.js";

export declare function syntheticMemory(id: string, atMs: number, more?: Partial<Memory>): Memory;
