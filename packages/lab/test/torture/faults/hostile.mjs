/** Inputs nobody should submit. */
const countMin = 60;
const countMax = 110;
const bundledShare = 0.2;

export const hostile = {
  kind: "hostile",
  stores: ["sqlite", "encrypted", "redis", "redis-encrypted"],
  async run(scene) {
    const count = scene.random.between(countMin, countMax);
    const open = { ...scene.open(), ...scene.maybeBundled(bundledShare) };
    const actor = await scene.perform([["open"], ["hostile", { count }], ["close"]], { open, isMetered: true });
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
