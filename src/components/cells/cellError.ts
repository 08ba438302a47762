/** An error of a cell, with its place in the source. */
export class CellError extends Error {
  override name = "CellError";
  constructor(
    message: string,
    /** Counted from 1; undefined where it is unknown. */
    readonly line?: number,
    readonly column?: number,
  ) {
    super(message);
  }
}
