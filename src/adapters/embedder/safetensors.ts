/** Reads the table of a `.safetensors` file: a length, the table in JSON, then the tensors' numbers one after the other. */
import { closeSync, openSync, readSync } from "node:fs";

export interface StoredTensor {
  readonly type: string;
  readonly shape: readonly number[];
  /** Where in the file its numbers begin. */
  readonly start: number;
  readonly byteCount: number;
}

interface TableEntry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [start: number, end: number];
}

const tableStart = 8;

/** The tensors by name; their numbers stay in the file. */
export function readSafetensorsTable(path: string): Map<string, StoredTensor> {
  const [head] = readParts(path, [0], tableStart);
  const tableByteCount = Number(head!.readBigUInt64LE());
  const [table] = readParts(path, [tableStart], tableByteCount);
  const tensors = new Map<string, StoredTensor>();
  const entries = JSON.parse(table!.toString("utf8")) as Record<string, TableEntry>;
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries(entries)) {
    if (name === "__metadata__") continue;
    const start = tableStart + tableByteCount + offsets[0];
    tensors.set(name, { type: dtype, shape, start, byteCount: offsets[1] - offsets[0] });
  }
  return tensors;
}

/** Parts of one length out of a file. */
export function readParts(path: string, starts: readonly number[], byteCount: number): Buffer[] {
  const file = openSync(path, "r");
  try {
    return starts.map((start) => {
      const part = Buffer.alloc(byteCount);
      if (readSync(file, part, 0, byteCount, start) < byteCount) throw new Error(`${path} is shorter than it says`);
      return part;
    });
  } finally {
    closeSync(file);
  }
}
