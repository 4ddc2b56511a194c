/** Embedders that options and the command line refer to by name. */
import { InputError } from "../../errors.js";
import type { Embedder } from "../../ports/embedder.js";
import { BundledEmbedder, type BundledEmbedderOptions } from "./minilm/bundled.js";
import { GteSmallEmbedder } from "./gte-small/embedder.js";

const names = ["fast", "portable", "gte-small"] as const;
/** The bundled embedder, the fast or the portable way; or gte-small. */
export type EmbedderName = (typeof names)[number];

/** Without a name, the bundled one: the fast way if it works here, otherwise the portable way. */
export function createEmbedder(
  name: EmbedderName | undefined,
  options: Omit<BundledEmbedderOptions, "way"> = {},
): Embedder {
  if (name === "gte-small") return new GteSmallEmbedder();
  if (name === undefined) return new BundledEmbedder(options);
  if (names.includes(name)) return new BundledEmbedder({ ...options, way: name });
  throw new InputError("option_invalid", `embedder "${String(name)}" is unknown; use ${names.join(", ")}`);
}
