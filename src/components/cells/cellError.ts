/** What is wrong with a cell, and where. */
export class CellError extends Error {
  override name = "CellError";
  constructor(
    message: string,
    /** Counted from 1; absent where it is not known. */
    readonly line?: number,
    readonly column?: number,
  ) {
    super(message);
  }
}
