export const programs: Readonly<Record<"mjs" | "cjs", string>>;
