/**
 * Units of time, and the clocks of time zones. Internally every moment is in milliseconds since 1970 UTC and every
 * duration is in milliseconds. What a clock shows is written the same way, as if its zone were UTC.
 */

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** What clocks in a time zone show at a moment. */
export function clockAt(ms: number, timeZone: string): number {
  return ms + zoneOffsetMs(ms, timeZone);
}

/**
 * The moment at which clocks in a time zone show a time. A time that they skip is moved forward by as much as they skip;
 * one that they show twice is the earlier (RFC 5545, section 3.3.5).
 */
export function momentOf(clockMs: number, timeZone: string): number {
  // Every offset is less than a day, so a change that matters lies between these two.
  const before = zoneOffsetMs(clockMs - dayMs, timeZone);
  const after = zoneOffsetMs(clockMs + dayMs, timeZone);
  const possible = [clockMs - Math.max(before, after), clockMs - Math.min(before, after)];
  return possible.find((ms) => clockAt(ms, timeZone) === clockMs) ?? clockMs - before;
}

/** Number of the calendar day that a moment falls on in a time zone, counted from 1 January 1970. */
export function localDay(ms: number, timeZone: string): number {
  return Math.floor(clockAt(ms, timeZone) / dayMs);
}

/** The first moment of a calendar day in a time zone; of a day that the zone skipped, that of the next. */
export function startOfLocalDay(day: number, timeZone: string): number {
  let start = momentOf(day * dayMs, timeZone);
  // Where clocks skip midnight, the day may have begun before the time that midnight was moved to.
  let earlier = start - dayMs;
  while (clockAt(start, timeZone) !== day * dayMs && localDay(start - 1, timeZone) >= day) {
    const middle = Math.floor((earlier + start) / 2);
    if (localDay(middle, timeZone) < day) earlier = middle;
    else start = middle;
  }
  return start;
}

const formatters = new Map<string, Intl.DateTimeFormat>();
/** Offsets at the beginning of days (UTC); cleared when full. */
const knownOffsets = new Map<string, Map<number, number>>();
const knownOffsetCountMax = 10_000;

/** No zone changes its offset twice within a day: one that begins and ends with the same offset keeps it. */
function zoneOffsetMs(ms: number, timeZone: string): number {
  if (timeZone === "UTC") return 0;
  const day = Math.floor(ms / dayMs);
  const offset = offsetAtDay(day, timeZone);
  return offset === offsetAtDay(day + 1, timeZone) ? offset : computeOffsetMs(ms, timeZone);
}

function offsetAtDay(day: number, timeZone: string): number {
  let offsets = knownOffsets.get(timeZone);
  if (offsets === undefined || offsets.size >= knownOffsetCountMax) {
    offsets = new Map();
    knownOffsets.set(timeZone, offsets);
  }
  let offset = offsets.get(day);
  if (offset === undefined) offsets.set(day, (offset = computeOffsetMs(day * dayMs, timeZone)));
  return offset;
}

/** No zone changed its offset before; formatters count years BC upwards, and the range of dates is finite. */
const firstOffsetMs = Date.UTC(1000, 0, 1);
const lastOffsetMs = Date.UTC(200_000, 0, 1);

function computeOffsetMs(anyMs: number, timeZone: string): number {
  const ms = Math.min(lastOffsetMs, Math.max(firstOffsetMs, anyMs));
  let formatter = formatters.get(timeZone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formatters.set(timeZone, formatter);
  }
  const part: Record<string, number> = {};
  for (const { type, value } of formatter.formatToParts(ms)) part[type] = Number(value);
  const local = Date.UTC(part["year"]!, part["month"]! - 1, part["day"], part["hour"], part["minute"], part["second"]);
  return local - Math.floor(ms / 1000) * 1000;
}
