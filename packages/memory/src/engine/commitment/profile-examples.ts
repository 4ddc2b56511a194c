/** A profile's example sentences as vectors: what substance, small talk and lasting traits look like. */
import type { Profile } from "../../profiles/profile.js";
import { KeptVectors, type KeptVectorsContext } from "../kept-vectors.js";
import { type SubstanceVectors, buildSubstanceVectors, substanceTexts } from "./substance.js";

export class ProfileExamples {
  readonly #profile: Profile;
  readonly #vectors: KeptVectors;
  #loading: Promise<SubstanceVectors> | undefined;

  constructor(profile: Profile, context: KeptVectorsContext) {
    this.#profile = profile;
    this.#vectors = new KeptVectors("examples", substanceTexts(profile), context);
  }

  load(): Promise<SubstanceVectors> {
    if (this.#loading === undefined) {
      this.#loading = this.#build();
      // A failure is not cached: the next interaction tries again.
      this.#loading.catch(() => (this.#loading = undefined));
    }
    return this.#loading;
  }

  async #build(): Promise<SubstanceVectors> {
    return buildSubstanceVectors(this.#profile, await this.#vectors.load("commitment"));
  }
}
