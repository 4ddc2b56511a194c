/** Inputs nobody should submit. */
const countMin = 60;
const countMax = 110;

export const hostile = {
  kind: "hostile",
  stores: ["sqlite", "encrypted", "lite", "redis"],
  async run(scene) {
    const count = scene.random.between(countMin, countMax);
    const actor = await scene.perform([["open"], ["hostile", { count }], ["close"]], { isMetered: true });
    const [result] = actor.said("hostile");
    if (result === undefined) {
      if (scene.findings.length === 0) scene.note("unusable", JSON.stringify(actor.said("refused")));
      return;
    }
    scene.acceptedCount = result.acceptedCount;
    scene.refusedCount += result.refusedCount;
    scene.findings.push(...result.findings);
  },
};
