/**
 * A profile's example sentences as vectors: what substance and small talk look like. They belong to nobody, so they are
 * embedded once and kept in the store: a new process would otherwise spend seconds on them.
 */
import { createHash } from "node:crypto";
import type { QuantizedVector } from "../graph/vectors/quantized-vector.js";
import type { Profile } from "../profiles/profile.js";
import type { EngineContext } from "../engine/engine-context.js";
import type { ProfileVectors, SubstanceVectors } from "../engine/parts.js";
import { buildSubstanceVectors, substanceTexts } from "./substance.js";

type Keeping = Pick<EngineContext, "embedding" | "records" | "log">;

export class ProfileExamples implements ProfileVectors {
  readonly #profile: Profile;
  readonly #context: Keeping;
  #loading: Promise<SubstanceVectors> | undefined;

  constructor(profile: Profile, context: Keeping) {
    this.#profile = profile;
    this.#context = context;
  }

  load(): Promise<SubstanceVectors> {
    if (this.#loading === undefined) {
      const vectors = loadOrEmbed(substanceTexts(this.#profile), this.#context);
      this.#loading = vectors.then((all) => buildSubstanceVectors(this.#profile, all));
      // A failure is not cached: the next interaction tries again.
      this.#loading.catch(() => (this.#loading = undefined));
    }
    return this.#loading;
  }
}

async function loadOrEmbed(texts: readonly string[], { embedding, records, log }: Keeping): Promise<QuantizedVector[]> {
  const { name, dimensions } = embedding.identity;
  const hash = createHash("sha256").update(JSON.stringify([name, texts]));
  const key = `examples ${hash.digest("hex")}`;
  const cached = await records.cached(key);
  if (cached?.length === texts.length * dimensions) {
    const codes = new Int8Array(cached.buffer, cached.byteOffset, cached.byteLength);
    return texts.map((_, i) => codes.slice(i * dimensions, (i + 1) * dimensions));
  }
  const vectors = await embedding.embed(texts, "commitment");
  const joined = new Int8Array(texts.length * dimensions);
  vectors.forEach((vector, i) => joined.set(vector, i * dimensions));
  await records.cache(key, new Uint8Array(joined.buffer)).catch((cause: unknown) => {
    log({ level: "warn", message: "vectors of examples could not be stored; they will be made again", cause });
  });
  return vectors;
}
