/** The bundled model, which can embed a text and, with one of the judge's adapters switched on, judge it. */
import type { Embedder } from "../../../ports/embedder.js";
import type { JudgeTask } from "./judge-file.js";

export interface AdaptedEmbedder extends Embedder {
  /** Of the judge's file, if it is not the bundled one. */
  readonly judgePath?: string | undefined;
  /** One vector of unit length per text, from which the head of the task reads its verdict. */
  embedAdapted(texts: readonly string[], task: JudgeTask): Promise<Float32Array[]>;
}
