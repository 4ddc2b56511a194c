/** Units of time. Internally every moment is in milliseconds since 1970 UTC and every duration is in milliseconds. */

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
