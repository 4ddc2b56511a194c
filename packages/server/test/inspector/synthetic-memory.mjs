// A memory about nothing, for tests and benchmarks of the graph that need no server.

/** What `more` does not say is empty. */
export function syntheticMemory(id, atMs, more = {}) {
  return {
    id,
    at: new Date(atMs).toISOString(),
    naturalizedTime: "",
    summary: `about ${id}`,
    state: null,
    keywords: [],
    statements: [],
    hypotheticalQuery: "",
    pairId: null,
    updates: [],
    outdatedBy: [],
    pinnedArea: null,
    metadata: {},
    expiresAt: null,
    edgeCount: 0,
    ...more,
  };
}
