/** Embedders that options and the command line refer to by name: the bundled one, run the fast or the portable way. */
import type { Embedder } from "../../ports/embedder.js";
import { BundledEmbedder, type BundledEmbedderOptions, type BundledWay } from "./minilm/bundled.js";

export type EmbedderName = BundledWay;

/** Without a name: the fast way if it works here, otherwise the portable way. */
export function createEmbedder(
  name: EmbedderName | undefined,
  options: Omit<BundledEmbedderOptions, "way"> = {},
): Embedder {
  return new BundledEmbedder({ ...options, ...(name === undefined ? {} : { way: name }) });
}
