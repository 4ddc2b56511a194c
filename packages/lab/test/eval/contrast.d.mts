export function measureContrast(element: unknown): number;
