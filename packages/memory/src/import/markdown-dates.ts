/** Dates in headings of notes, as ISO 8601 in the memory's time zone: 2024-05-12, 12 May 2024, May 12th, 2024. */

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const monthPattern = String.raw`(${months.join("|")})\p{L}*\.?`;
const dayPattern = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;

type Part = "y" | "m" | "d";

const datePatterns: readonly { readonly pattern: RegExp; readonly order: readonly [Part, Part, Part] }[] = [
  { pattern: /\b(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/u, order: ["y", "m", "d"] },
  { pattern: new RegExp(String.raw`\b${dayPattern}\.? ${monthPattern},? (\d{4})\b`, "iu"), order: ["d", "m", "y"] },
  { pattern: new RegExp(String.raw`\b${monthPattern} ${dayPattern},? (\d{4})\b`, "iu"), order: ["m", "d", "y"] },
];
const clockPattern = /(?:^|[\sT,(])(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([ap])\.?m\.?)?(Z|[+-]\d\d:\d\d)?/iu;

/** "2024-05-12", or with a time "2024-05-12T21:15:00"; null where the heading has no date. */
export function findDate(heading: string): string | null {
  for (const { pattern, order } of datePatterns) {
    const match = pattern.exec(heading);
    if (match === null) continue;
    const part = Object.fromEntries(order.map((name, i) => [name, match[i + 1]!])) as Record<Part, string>;
    const month = /^\d/u.test(part.m) ? Number(part.m) : 1 + months.indexOf(part.m.toLowerCase());
    const day = Number(part.d);
    const date = new Date(Date.UTC(Number(part.y), month - 1, day));
    if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) continue;
    const rest = heading.slice(match.index + match[0].length);
    return `${part.y}-${pad(month)}-${pad(day)}${findClock(rest)}`;
  }
  return null;
}

function findClock(text: string): string {
  const match = clockPattern.exec(text);
  if (match === null) return "";
  const [, hourText, minute, second = "00", half, zone = ""] = match;
  const hour = half === undefined ? Number(hourText) : (Number(hourText) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  const isClock = hour < 24 && Number(minute) < 60 && Number(second) < 60;
  return isClock ? `T${pad(hour)}:${minute}:${second}${zone.toUpperCase()}` : "";
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
