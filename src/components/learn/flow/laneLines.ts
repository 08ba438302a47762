import type { Use } from "./variableUses.js";

/**
 * The lines of a lane: each reader is connected with the first writer before it, since those in between may have
 * written other elements. In a cycle, one that has none before it is connected backward with the last writer of the
 * round before.
 * @returns lines from one stage to another, counted from 0; half a stage outside, they come from or go beyond them, and
 * those that are `isBack` go on to the next round
 * @param uses what each stage does to the lane's variable, in their order
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
  // What nobody reads here is read later.
  const isReadLater = uses.some((use, at) => at > lastWriter && isReader(use));
  if (isCycle && lastWriter >= 0 && !isReadLater && !lines.some(({ isBack }) => isBack))
    lines.push({ from: lastWriter, to: end, isBack: false });
  return lines;
}
