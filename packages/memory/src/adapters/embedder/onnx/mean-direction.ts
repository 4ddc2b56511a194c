/**
 * A text's vector from those of its word pieces: the direction of their mean. It is taken here and not in the graph, so
 * that it is the same to the last bit whichever texts shared a run.
 */

/** The vectors are stored one after another. */
export function meanDirection(rows: Float32Array, dimensions: number): Float32Array {
  const sum = new Float64Array(dimensions);
  for (let start = 0; start < rows.length; start += dimensions) {
    for (let i = 0; i < dimensions; i++) sum[i]! += rows[start + i]!;
  }
  return toUnitLength(sum);
}

export function toUnitLength(vector: Float64Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(vector, (value) => value / length);
}
