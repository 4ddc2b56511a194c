/**
 * Everything a store has to do, as a list of checks that any test runner can run:
 *
 *   for (const { name, check } of storeConformance) test(name, () => check(openStore));
 *
 * `openStore` returns a new, empty store each time it is called; a check closes it. A failure is an AssertionError whose
 * message says what the store should have done.
 */
import { bytesChecks } from "./conformance/bytes.js";
import type { ConformanceCheck } from "./conformance/check.js";
import { closingChecks } from "./conformance/closing.js";
import { differenceChecks } from "./conformance/differences.js";
import { dueChecks } from "./conformance/due.js";
import { erasingChecks } from "./conformance/erasing.js";
import { leaseChecks } from "./conformance/leases.js";
import { momentChecks } from "./conformance/moments.js";
import { nameChecks } from "./conformance/names.js";
import { randomChecks } from "./conformance/random.js";
import { selectionChecks } from "./conformance/selections.js";
import { togetherChecks } from "./conformance/together.js";
import { writingChecks } from "./conformance/writing.js";

export type { ConformanceCheck } from "./conformance/check.js";

export const storeConformance: readonly ConformanceCheck[] = [
  ...writingChecks,
  ...erasingChecks,
  ...bytesChecks,
  ...selectionChecks,
  ...differenceChecks,
  ...momentChecks,
  ...nameChecks,
  ...dueChecks,
  ...leaseChecks,
  ...togetherChecks,
  ...randomChecks,
  ...closingChecks,
];
