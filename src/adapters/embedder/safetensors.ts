/** Reads a `.safetensors` file: a length, a table of tensors in JSON, then their numbers one after the other. */

export interface StoredTensor {
  readonly type: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

interface TableEntry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [start: number, end: number];
}

const tableStart = 8;

/** The tensors by name; their bytes are those of the file, not a copy. */
export function readSafetensors(file: Uint8Array): Map<string, StoredTensor> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const dataStart = tableStart + Number(view.getBigUint64(0, true));
  const table = JSON.parse(new TextDecoder().decode(file.subarray(tableStart, dataStart))) as Record<
    string,
    TableEntry
  >;
  const tensors = new Map<string, StoredTensor>();
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries(table)) {
    if (name === "__metadata__") continue;
    const bytes = file.subarray(dataStart + offsets[0], dataStart + offsets[1]);
    tensors.set(name, { type: dtype, shape, bytes });
  }
  return tensors;
}
