import type { Use } from "./uses.js";

/** Which lines pass through half a cell of a lane: of what goes on to later stages, and of what goes back to earlier ones. */
export interface HalfCell {
  forward: boolean;
  back: boolean;
}

/** A cell of a lane: what the stage does there, and the lines to its left and right. */
export interface LaneCell {
  use: Use | undefined;
  left: HalfCell;
  right: HalfCell;
}

/**
 * The lines of a lane: each reader is connected with the first writer before it, since those in between may have
 * written other elements. In a cycle, one that has none before it is connected backward with the last writer of the
 * round before.
 * @param uses what each stage does to the lane's variable, in their order
 */
export function laneCells(uses: readonly (Use | undefined)[], isCycle: boolean): LaneCell[] {
  const none = (): HalfCell => ({ forward: false, back: false });
  const cells = uses.map((use): LaneCell => ({ use, left: none(), right: none() }));
  const isWriter = (use: Use | undefined) => use !== undefined && use !== "reads";
  const isReader = (use: Use | undefined) => use !== undefined && use !== "writes";
  // A line of a kind, from behind one cell to before another; from outside, and to it, where there is no cell.
  const connect = (from: number, to: number, kind: keyof HalfCell) => {
    for (let at = Math.max(from, 0); at <= Math.min(to, cells.length - 1); at++) {
      if (at > from) cells[at].left[kind] = true;
      if (at < to) cells[at].right[kind] = true;
    }
  };
  const lastWriter = uses.findLastIndex(isWriter);
  for (const [at, use] of uses.entries()) {
    if (!isReader(use)) continue;
    const writer = uses.slice(0, at).findIndex(isWriter);
    if (writer >= 0) connect(writer, at, "forward");
    else if (isCycle && lastWriter >= 0) {
      connect(lastWriter, cells.length, "back");
      connect(-1, at, "back");
    } else if (lastWriter < 0) connect(-1, at, "forward");
  }
  // What nobody reads here is read later.
  const isReadLater = uses.some((use, at) => at > lastWriter && isReader(use));
  if (isCycle && lastWriter >= 0 && !isReadLater && !cells[lastWriter].right.back)
    connect(lastWriter, cells.length, "forward");
  return cells;
}
