import type { Use } from "./variableUses.js";

/**
 * Returns the lines of a lane, from one stage to another, counted from 0. Each reader is connected with the first writer
 * before it, because writers in between may have written other elements. In a cycle, a reader without one is connected
 * with the last writer of the previous round, by two lines with `isBack`. Lines that enter or leave the chart end half a
 * stage outside.
 * @param uses the use of the lane's variable by each stage
 */
export function laneLines(uses: readonly (Use | undefined)[], isCycle: boolean) {
  const isWriter = (use: Use | undefined) => use !== undefined && use !== "reads";
  const isReader = (use: Use | undefined) => use !== undefined && use !== "writes";
  const [start, end] = [-0.5, uses.length - 0.5];
  const lastWriter = uses.findLastIndex(isWriter);
  const lines = uses.flatMap((use, at): { from: number; to: number; isBack: boolean }[] => {
    if (!isReader(use)) return [];
    const writer = uses.slice(0, at).findIndex(isWriter);
    if (writer >= 0) return [{ from: writer, to: at, isBack: false }];
    if (lastWriter < 0) return [{ from: start, to: at, isBack: false }];
    const cycleLines = [
      { from: lastWriter, to: end, isBack: true },
      { from: start, to: at, isBack: true },
    ];
    return isCycle ? cycleLines : [];
  });
  // If no stage reads the last value, it is read after the step.
  const isReadLater = uses.some((use, at) => at > lastWriter && isReader(use));
  if (isCycle && lastWriter >= 0 && !isReadLater && !lines.some(({ isBack }) => isBack))
    lines.push({ from: lastWriter, to: end, isBack: false });
  return lines;
}
