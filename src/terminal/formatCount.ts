/** Returns a whole number with thousands separators, such as "12,345". */
export const formatCount = (value: number) => value.toLocaleString("en-US");
