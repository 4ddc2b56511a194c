import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MnemosyneError } from "../src/errors.js";
import { type ParameterDefinition, parameterDefinitions } from "../src/parameter-definitions.js";
import { type Preset, presets, parseParameters } from "../src/parameters.js";

const definitions: [string, ParameterDefinition][] = Object.entries(parameterDefinitions);

describe.each(definitions)("%s", (_, definition) => {
  it("has a default and a paper value within its range", () => {
    for (const value of [definition.default, definition.paper ?? definition.default]) {
      expect(value).toBeGreaterThanOrEqual(definition.min);
      expect(value).toBeLessThanOrEqual(definition.max);
      if (definition.integer === true) expect(Number.isInteger(value)).toBe(true);
    }
  });

  it("says where it comes from and what it means", () => {
    expect(definition.section).not.toBe("");
    expect(definition.meaning).toMatch(/^[A-Z].*\.$/u);
  });

  it("names a paper value only where it differs", () => {
    expect(definition.paper).not.toBe(definition.default);
  });
});

describe("preset paper", () => {
  const paper = parseParameters({}, "paper");

  it("has the values of Table C3", () => {
    expect(paper).toMatchObject({
      edgeThreshold: 0.5, // edge_threshold
      keywordWeight: 0.3, // alpha_key
      redundancyThreshold: 0.25, // threshold
      redundancyNmiWeight: 0.6, // alpha_NMI
      temporalBonusWeight: 0.5, // temporal_weight_factor
      temporalBonusHalfLifeHours: 24, // temporal_decay_hours
      metaWeightBase: 1 - 0.6, // alpha_meta, which the table calls the weight of the semantic side
      explorationFactor: 2, // mu
      decayFloor: 0.05, // floor
      startCountMax: 3, // top_k_starts
      startScoreMin: 0.4, // min_threshold
      traversalNodeCountPerStartMax: 1, // max_nodes_per_start
      centralConnectivityWeight: 0.3, // theta_conn
      centralBoostWeight: 0.3, // theta_boost
      centralRecencyWeight: 0.2, // theta_rece
      centralEntropyWeight: 0.2, // theta_ent
      centralRecencyDays: 28, // lambda
    });
    // mid_sig is in seconds
    expect(paper.decayMidpointDays * 24 * 60 * 60).toBe(2_419_200);
  });

  it("has what the design decided where the paper is silent", () => {
    expect(paper).toMatchObject({
      decayScaleDays: 5,
      decayLinearDays: 1,
      rewindMaxDays: 21,
      rewindCriticalDays: 3,
      rewindScaleDays: 1,
      degreeMax: 32,
      redundancyBinCount: 8,
    });
  });

  it("has none of our additions: one vector per memory, no lexical index", () => {
    expect(paper).toMatchObject({ statementCountMax: 0, lexicalWeight: 0 });
  });
});

describe("parameters", () => {
  it("are the defaults where nothing is said", () => {
    expect(parseParameters()).toEqual(
      Object.fromEntries(definitions.map(([name, { default: value }]) => [name, value])),
    );
    expect(parseParameters({ degreeMax: undefined })).toEqual(parseParameters());
  });

  it("take the caller's values over the preset's", () => {
    const parameters = parseParameters({ degreeMax: 8, lexicalWeight: 2 }, "paper");
    expect(parameters).toEqual({ ...parseParameters({}, "paper"), degreeMax: 8, lexicalWeight: 2 });
  });

  it("cannot be changed afterwards", () => {
    expect(Object.isFrozen(parseParameters())).toBe(true);
  });

  it("may lie anywhere in their range, its ends included", () => {
    const alone = definitions.filter(([name]) => !/^central\w+Weight$|^metaWeight(?:Base|Max)$/u.test(name));
    for (const [name, { min, max }] of alone) {
      expect(parseParameters({ [name]: min })).toMatchObject({ [name]: min });
      expect(parseParameters({ [name]: max })).toMatchObject({ [name]: max });
    }
  });

  it("may have any weights that sum to 1", () => {
    const parts = fc
      .array(fc.integer({ min: 0, max: 100 }), { minLength: 4, maxLength: 4 })
      .filter((list) => list.some((part) => part > 0));
    fc.assert(
      fc.property(parts, (list) => {
        const sum = list.reduce((total, part) => total + part, 0);
        const [conn, boost, rece, ent] = list.map((part) => part / sum);
        const thetas = {
          centralConnectivityWeight: conn!,
          centralBoostWeight: boost!,
          centralRecencyWeight: rece!,
          centralEntropyWeight: ent!,
        };
        expect(parseParameters(thetas)).toMatchObject(thetas);
      }),
    );
  });
});

describe("refused", () => {
  it.each(["degree_max", "DegreeMax", "", "toString", "constructor"])("an unknown name: %j", (name) => {
    expect(codeOf(() => parseParameters({ [name]: 1 }))).toBe("parameter_unknown");
  });

  it.each(definitions)("%s beyond its range, or not a number", (name, { min, max }) => {
    for (const value of [min - 1, max + 1_000, NaN, Infinity, -Infinity]) {
      expect(codeOf(() => parseParameters({ [name]: value }))).toBe("parameter_out_of_range");
    }
    for (const value of ["1", null, true, 1n]) {
      expect(codeOf(() => parseParameters({ [name]: value } as unknown as Record<string, number>))).toBe(
        "parameter_out_of_range",
      );
    }
  });

  it.each(definitions.filter(([, { integer }]) => integer === true))("%s with a fraction", (name, { min }) => {
    expect(codeOf(() => parseParameters({ [name]: min + 0.5 }))).toBe("parameter_out_of_range");
  });

  it("thetas that do not sum to 1, naming the sum", () => {
    expect(codeOf(() => parseParameters({ centralBoostWeight: 0.4 }))).toBe("parameters_conflict");
    expect(() => parseParameters({ centralBoostWeight: 0.5 })).toThrow(/1\.2/u);
  });

  it("a weight of S_meta that would fall with age", () => {
    expect(codeOf(() => parseParameters({ metaWeightBase: 0.2 }))).toBe("parameters_conflict");
    expect(codeOf(() => parseParameters({ metaWeightBase: 0.7 }, "paper"))).toBe("parameters_conflict");
    const both = { metaWeightBase: 0.1, metaWeightMax: 0.1 };
    expect(parseParameters(both)).toMatchObject(both);
  });

  it("an unknown preset", () => {
    expect(codeOf(() => parseParameters({}, "best" as Preset))).toBe("option_invalid");
    expect(presets).toEqual(["default", "paper"]);
  });

  it("with a message that names the parameter, the value and the range", () => {
    expect(() => parseParameters({ degreeMax: 0 })).toThrow(
      'parameter "degreeMax" is 0; it must be an integer from 1 to 1024',
    );
  });
});

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof MnemosyneError) return error.code;
    throw error;
  }
  return "nothing was thrown";
}
