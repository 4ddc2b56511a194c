/** A sentence with a known vector, against which an embedder that runs elsewhere is checked before use. */
import { ModelError } from "../../../errors.js";
import type { Embedder } from "../../../ports/embedder.js";

export const referenceSentence =
  "At 7:30 Doña Inés — who's 81 — took 2 of the tablets; her knee's X-ray is on Tuesday.";

/** A hundred times the effect of a different order of additions; one wrong word piece changes more. */
const deviationMax = 1e-3;

export async function checkReference(embedder: Embedder, reference: Float32Array): Promise<void> {
  const [vector] = await embedder.embed([referenceSentence]);
  const deviation = reference.reduce((most, value, i) => Math.max(most, Math.abs(value - (vector?.[i] ?? NaN))), 0);
  if (deviation <= deviationMax) return;
  throw new ModelError("embedder_failed", `its vector of a known sentence is off by ${deviation.toPrecision(2)}`);
}
