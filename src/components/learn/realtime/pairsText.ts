import { count, inWords } from "../../format.js";

/** A number of pairs: "13,824", "52.4 million". */
export function pairsText(pairs: number): string {
  return pairs < 1e6 ? count(pairs) : inWords(pairs);
}
