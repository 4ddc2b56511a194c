/** An interaction as a store has it, without an id and with nothing said. */
export const bareInteraction = {
  initMs: 0,
  acceptedMs: 0,
  turns: [],
  summary: null,
  state: null,
  restored: false,
  kept: false,
  updates: [],
  metadata: {},
  expiresMs: null,
  versions: [],
};
