import { DataType, type Table } from "apache-arrow";

/** How `Inputs.table` writes the columns of an Arrow table: whole numbers as they are, others with five digits. */
export function formats({ schema }: Table): Record<string, (value: number) => string> {
  return Object.fromEntries(schema.fields.map(({ name, type }) => [name, DataType.isInt(type) ? String : showNumber]));
}

/** Five decimals, so that points stand below each other; an exponent where they would tell too little or too much. */
export function showNumber(value: number): string {
  const size = Math.abs(value);
  return value === 0 || (size >= 1e-2 && size < 1e3) ? value.toFixed(5) : value.toExponential(3);
}
