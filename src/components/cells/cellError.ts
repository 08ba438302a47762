/** A position in the source of a cell, counted from 1. */
export interface Position {
  line: number;
  column: number;
}

/** An error of a cell, with its position if it is known. */
export class CellError extends Error {
  override name = "CellError";
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(message: string, { line, column }: Partial<Position> = {}) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** Returns the position of an index of a source. */
export function positionAt(source: string, index: number): Position {
  const lines = source.slice(0, index).split("\n");
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}
