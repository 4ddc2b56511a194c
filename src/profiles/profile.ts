/**
 * A profile is a domain as data (section 3.1: what counts as substance; section 3.2: domain-specific states; section
 * 3.3: prompts). `general` and `healthcare` are two; a user may hand in their own.
 */

export interface SubstanceCategory {
  readonly name: string;
  readonly description: string;
  readonly examples: readonly string[];
}

export interface Profile {
  readonly name: string;
  /** What counts as substance (section 3.1): each with a description and example sentences. */
  readonly categories: readonly SubstanceCategory[];
  /** Example sentences of talk without substance: greetings, weather, testing the device, jokes, ... */
  readonly mundane: readonly string[];
  /** Typical domain-specific states, e.g. "post-surgery recovery phase"; shown to users as suggestions. */
  readonly states: readonly string[];
  /** Words of the context text. */
  readonly wording: {
    readonly coreSummaryHeading: string;
    readonly memoriesHeading: string;
    readonly nothingRecalled: string;
  };
  /** Instructions for a language model, where one is configured (each well under 400 tokens). */
  readonly prompts: {
    readonly commitment: string;
    readonly coreSummaryFirst: string;
    readonly coreSummaryUpdate: string;
  };
}
