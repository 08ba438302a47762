/** Returns a name, followed by a number if it is taken, such as "coffee (2)". */
export function uniqueName(name: string, isTaken: (name: string) => boolean): string {
  let unique = name;
  for (let i = 2; isTaken(unique); i++) unique = `${name} (${i})`;
  return unique;
}
