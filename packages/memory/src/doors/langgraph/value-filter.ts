/** LangGraph's filters on the values of items, with its comparisons: by identity, and by number for greater and less. */

const comparisons: Readonly<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  $eq: (value, wanted) => value === wanted,
  $ne: (value, wanted) => value !== wanted,
  $gt: (value, wanted) => Number(value) > Number(wanted),
  $gte: (value, wanted) => Number(value) >= Number(wanted),
  $lt: (value, wanted) => Number(value) < Number(wanted),
  $lte: (value, wanted) => Number(value) <= Number(wanted),
  $in: (value, wanted) => Array.isArray(wanted) && wanted.includes(value),
  $nin: (value, wanted) => !Array.isArray(wanted) || !wanted.includes(value),
};

export function passesFilter(
  value: Readonly<Record<string, unknown>>,
  filter: Readonly<Record<string, unknown>> | undefined,
): boolean {
  return Object.entries(filter ?? {}).every(([name, condition]) => holds(value[name], condition));
}

function holds(value: unknown, condition: unknown): boolean {
  if (!isComparison(condition)) return value === condition;
  return Object.entries(condition).every(([operator, wanted]) => comparisons[operator]!(value, wanted));
}

/** An object without names holds for everything, as in LangGraph. */
function isComparison(condition: unknown): condition is Record<string, unknown> {
  return (
    typeof condition === "object" &&
    condition !== null &&
    Object.keys(condition).every((operator) => Object.hasOwn(comparisons, operator))
  );
}
