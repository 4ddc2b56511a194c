/**
 * Weekdays counted from the day of the question: "on Thursday", "last Friday", "Monday last week". Where people mean
 * different days by the same word, the nearer one comes first and the other is a second reading.
 */
import { mondayOf, oneDay, weekdayBefore, weekdayFrom, weekdayOf, type Span } from "./calendar.js";
import { readWeekday } from "./calendar-words.js";
import { relative, type Period, type TimeContext } from "./dated-expressions.js";
import { follow, readDistance, skip, textAt } from "./time-words.js";

export const dayParts = "morning|afternoon|evening|lunchtime|teatime|dinnertime|breakfast";

/** "On Thursday": the last one before today. Said on a Thursday, it may be today. */
export function readPlainWeekday({ tokens, today }: TimeContext, index: number): Period | undefined {
  const isPointed = textAt(tokens, index - 1) === "on" && textAt(tokens, index) === "the";
  const at = isPointed ? index + 1 : index;
  const weekday = readWeekday(tokens, at);
  if (weekday === undefined || notThatDay.test(textAt(tokens, index - 1))) return undefined;
  // "On the Tuesday before the surgery" is not counted from today.
  if (isPointed && /^(?:before|after|following)$/u.test(textAt(tokens, at + 1))) return undefined;
  const nearest = oneDay(weekdayBefore(today, weekday));
  const end = skip(tokens, at + 1, "last");
  return weekdayOf(today) === weekday ? relative(end, nearest, oneDay(today)) : relative(end, nearest);
}

const notThatDay =
  /^(?:my|your|his|her|our|their|the|a|an|every|each|any|another|first|second|third|final|next|usual|regular|most|some|other|one)$/u;

/** "Last Thursday" said on a Saturday is two days ago, or the one the week before. */
export function weekdayReadings(today: number, weekday: number, word: string, isNext: boolean): Span[] {
  if (isNext) return [oneDay(weekdayFrom(today + 1, weekday))];
  const nearest = weekdayBefore(today, weekday);
  const ofThisWeek = mondayOf(today) + weekday;
  if (word === "this" && ofThisWeek >= today) return [oneDay(ofThisWeek)];
  return word === "last" && nearest === ofThisWeek ? [oneDay(nearest), oneDay(nearest - 7)] : [oneDay(nearest)];
}

/** "Monday last week", "on Monday of last week", "last week on Monday", "Tuesday of this week". */
export function readWeekdayOfWeek({ tokens, today }: TimeContext, index: number): Period | undefined {
  const first = readWeekday(tokens, index);
  if (first !== undefined) {
    const partEnd = skip(tokens, index + 1, `${dayParts}|night`);
    for (const [pattern, back] of weekPatterns) {
      const end = follow(tokens, partEnd, `of|in? ${pattern}`);
      if (end >= 0) return relative(end, oneDay(mondayOf(today) - 7 * back + first));
    }
    const distance = readDistance(tokens, partEnd);
    const agoEnd = distance?.unit === "week" ? follow(tokens, distance.end, "ago|back") : -1;
    if (distance !== undefined && agoEnd >= 0) {
      return relative(agoEnd, nearestWeekday(today - (distance.min + distance.max) / 2, first));
    }
    return undefined;
  }
  for (const [pattern, back] of weekPatterns) {
    const end = follow(tokens, index, `${pattern} ,? on? the?`);
    const weekday = end < 0 ? undefined : readWeekday(tokens, end);
    if (weekday !== undefined) return relative(end + 1, oneDay(mondayOf(today) - 7 * back + weekday));
  }
  return undefined;
}

const weekPatterns = [
  ["the? week before last", 2],
  ["last week", 1],
  ["the previous week", 1],
  ["this week", 0],
  ["next week", -1],
] as const;

export function nearestWeekday(day: number, weekday: number): Span {
  return oneDay(weekdayFrom(Math.round(day) - 3, weekday));
}
