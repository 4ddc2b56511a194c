/** Units of time. Inside the memory every moment is milliseconds since 1970 UTC and every duration is milliseconds. */

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
