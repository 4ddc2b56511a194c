/** Times open on one side, asked on Wednesday 14 May 2025. From a calendar. */
import { describe, expect, it } from "vitest";
import { timesOf, timeWordsOf } from "./reading.js";

describe("a time up to now or up to some day", () => {
  it.each([
    ["of late", "until-now 2025-04-15..2025-05-14"],
    ["these past days", "until-now 2025-05-08..2025-05-14"],
    ["in recent days", "until-now 2025-05-08..2025-05-14"],
    ["the recent days", "until-now 2025-05-08..2025-05-14"],
    ["over recent months", "until-now 2025-01-15..2025-05-14"],
    ["over recent years", "until-now 2022-05-11..2025-05-14"],
    ["so far this week", "until-now 2025-05-08..2025-05-14"],
    ["thus far", "until-now ..2025-05-14"],
    ["till now", "until-now ..2025-05-14"],
    ["up till now", "until-now ..2025-05-14"],
    ["as yet", "until-now ..2025-05-14"],
    ["at present", "background 2025-05-14"],
    ["presently", "background 2025-05-14"],
    ["at the present time", "background 2025-05-14"],
    ["as of today", "background 2025-05-14"],
    ["until today", "background 2025-05-14"],
    // Windows: the days named and today.
    ["in the last hour", "until-now 2025-05-14"],
    ["in the last day", "until-now 2025-05-13..2025-05-14"],
    ["over the past night", "until-now 2025-05-13..2025-05-14"],
    ["this past week", "until-now 2025-05-07..2025-05-14"],
    ["over the last fortnight", "until-now 2025-04-29..2025-05-14"],
    ["over the last year", "until-now 2024-05-14..2025-05-14"],
    ["over the past quarter", "until-now 2025-02-08..2025-05-14"],
    ["for the last three days", "until-now 2025-05-12..2025-05-14"],
    ["during these last few weeks", "until-now 2025-04-06..2025-05-14"],
    // Limits.
    ["by Friday", "2025-05-03..2025-05-09"],
    ["by March", "2025-03-01..2025-03-07"],
    ["by next Friday", "background 2025-05-16"],
    ["by last week", "2025-05-05..2025-05-11"],
    ["after Friday", "until-now 2025-05-09..2025-05-14"],
    ["after March", "2025-04-01..2025-04-22 | until-now 2025-04-01..2025-05-14"],
    ["following Easter", "2025-04-22..2025-05-13 | until-now 2025-04-22..2025-05-14"],
    ["post-Easter", "2025-04-22..2025-05-13 | until-now 2025-04-22..2025-05-14"],
    ["after Easter Monday", "2025-04-21..2025-05-12 | until-now 2025-04-21..2025-05-14"],
    ["after 23 April", "until-now 2025-04-23..2025-05-14"],
    ["pre-Christmas", "before ..2024-12-23"],
    ["prior to February", "before ..2025-01-31"],
    ["till March", "before ..2025-02-28"],
    ["until yesterday", "before ..2025-05-13"],
    ["up until Friday", "before ..2025-05-09"],
    ["until last week", "before ..2025-05-04"],
    ["from Monday on", "until-now 2025-05-12..2025-05-14"],
    ["from March onward", "until-now 2025-03-01..2025-05-14"],
    ["since today", "until-now 2025-05-14"],
  ])("%s", (expression, days) => {
    expect(timesOf(`What has the nurse done ${expression}?`)).toBe(days);
    expect(timeWordsOf(`What has the nurse done ${expression}?`)).toEqual([expression]);
  });

  it("by which something is counted begins at the beginning", () => {
    expect(timesOf("How many had I seen by March?")).toBe("before ..2025-03-31");
    expect(timesOf("How often had I called by Friday?")).toBe("before ..2025-05-09");
  });

  it.each([
    ["What did I own up to yesterday?", "2025-05-13"],
    ["What have I done since next week?", ""],
    ["What did I do after next week?", ""],
    ["What did I do the moment she called?", ""],
    ["Which of the last two was it?", ""],
    ["What were the last hours like?", ""],
  ])("%s", (question, days) => expect(timesOf(question)).toBe(days));
});
