import type { Sweep } from "../../engine/sweep.js";

/** The run to which an arrow key leads from another, by their indices; undefined if it is no arrow key or leads off. */
export function neighbour(key: string, index: number, { vary: [rows, columns] }: Sweep): number | undefined {
  const across = columns?.values.length ?? 1;
  const isGrid = columns !== undefined;
  const isFirst = isGrid && index % across === 0;
  const isLast = isGrid && index % across === across - 1;
  const steps: Record<string, number | undefined> = {
    ArrowLeft: isFirst ? undefined : -1,
    ArrowRight: isLast ? undefined : 1,
    ArrowUp: -across,
    ArrowDown: across,
  };
  const next = index + (steps[key] ?? Number.NaN);
  return next >= 0 && next < rows.values.length * across ? next : undefined;
}
