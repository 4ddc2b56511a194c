/** Vectors as constants in a file: numbers times 32,767, two bytes each, little-endian, in base64. */
export function unpackVector(text: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  return Float32Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(2 * i) / 32_767);
}
