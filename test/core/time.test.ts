import { expect, it } from "vitest";
import { dayMs, hourMs } from "../../src/core/time.js";

it("an hour has 60 * 60 * 1000 milliseconds, a day 24 of them", () => {
  expect(hourMs).toBe(60 * 60 * 1000);
  expect(dayMs).toBe(Date.UTC(2025, 0, 2) - Date.UTC(2025, 0, 1));
});
