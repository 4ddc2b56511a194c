/** What is known of an interaction before the memory is locked: how it was read, and what a language model wrote of it. */
import type { Interaction } from "../engine/records/person-data.js";
import type { PersonState } from "../engine/person-state.js";
import { runInSlices } from "../engine/serial-lock.js";
import { nearestHoldingSteps } from "../model/claimed-updates.js";
import { type FindMemories, type ModelWork, workWithModel } from "../model/language-model-steps.js";
import { type ReadInteraction, readInteraction } from "../reader/read.js";

export interface Draft {
  readonly read: ReadInteraction;
  /** What the language model said, or why it was not used; null when none is configured. */
  readonly model: ModelWork | null;
}

/** `earlier` is a draft of the same interaction whose model replies are reused; `signal` ends the wait for a model. */
export async function makeDraft(
  interaction: Interaction,
  state: PersonState,
  earlier?: Draft,
  signal?: AbortSignal,
): Promise<Draft> {
  const { context } = state;
  let model = earlier?.model ?? null;
  const read = await readInteraction(interaction, state.graph, context, async (summarize) => {
    if (context.modelCalls === null) return null;
    const findMemories: FindMemories = async (written) => {
      const [vector] = await context.embedding.embed([await summarize(written)], "commitment");
      return runInSlices(nearestHoldingSteps(vector!, interaction, state.graph, context.parameters));
    };
    const known = context.core.of(state).text;
    model ??= await workWithModel(interaction, known, context.modelCalls, context, findMemories, signal);
    const { summary, judgment } = model;
    return judgment === null && summary === null
      ? null
      : {
          summary,
          keywords: judgment?.keywords ?? null,
          statements: judgment?.statements ?? [],
          questions: judgment?.questions ?? [],
        };
  });
  return { read, model };
}
