/** Words of the field, and what they mean: each figure explains those that are said in it, where they first stand. */
export const words: Record<string, string> = {
  barrier: "A line of a kernel that no thread of a workgroup goes beyond before all of them have come to it.",
  "bias correction": "What makes up for means that begin at zero, and so are too small in the first steps.",
  bitonic: "Of a list: it rises once and falls once, also where that goes on at its other end.",
  clamp: "To cut a number that is beyond a limit back to the limit.",
  comparator: "A pair of places whose numbers are compared, and swapped if they stand the wrong way round.",
  conic: "The inverse of a blob’s covariance matrix, which says how fast the blob fades in each direction.",
  covariance: "How far a blob reaches: its variances across and down, and how much the two go together.",
  dispatch: "One command to the GPU, which starts a number of workgroups.",
  finalCount: "How many blobs of the list were applied before the pixel took no more.",
  invocation: "WGSL’s word for a thread.",
  kernel: "A program that a GPU runs in many threads at once.",
  lane: "A thread’s place in its subgroup.",
  "local index": "The number that a thread has within its workgroup.",
  opacity: "How much of the light from behind a blob holds back at its centre.",
  power: "The exponent of a blob’s falloff: 0 at its centre, −8 at the edge of its support.",
  probe: "A line put into a kernel that tells what goes by there; the rest of the kernel is the very one that trains.",
  "raw parameter": "One of the nine numbers of a blob as they are trained, before they are decoded.",
  segment: "A part of a tile’s list, of 32 blobs or more, which goes back side by side with the other parts.",
  sentinel: "A number greater than any blob’s, which fills the places of a list that are left.",
  "short-list": "The numbers of the blobs that may reach a tile, which all its pixels go through.",
  stale: "Of a value that was read: what stood there before it was written.",
  stride: "How far the thread is whose number a thread adds.",
  subgroup: "Threads of a workgroup that a GPU runs in step, on most 32 or 64.",
  support: "Where a blob is more than nothing: the ellipse of four standard deviations around its centre.",
  "tile list": "The blobs that overlap a tile, in ascending index. All pixels of the tile blend this list.",
  tile: "A rectangle of pixels, such as 8 × 4, of which one workgroup takes care.",
  transmittance: "The share of the light that still gets through all the blobs so far.",
  twin: "A kernel’s function once more, in TypeScript: the kernels are tested against it.",
  workgroup: "Threads that run together, share a small fast memory, and can wait for each other.",
  T: "The transmittance, the share of the light that still gets through all the blobs so far.",
  α: "What a blob is at a pixel: the share of the light from behind that it holds back there.",
  "4σ": "Four standard deviations from a blob’s centre, where the blob ends.",
};

// A symbol is a word of its own, in its own case.
const names = Object.keys(words).sort((a, b) => b.length - a.length);
const anyWord = new RegExp(`(?<![\\p{L}\\d_-])(${names.join("|")})(?:s|es)?(?![\\p{L}\\d_-])`, "giu");

/** Returns the parts of a text: other text as it is, words of the field by their names in `words`. */
export function partsOf(text: string): (string | { word: string; name: string })[] {
  let end = 0;
  const parts = [...text.matchAll(anyWord)].flatMap(({ 0: word, 1: found, index }) => {
    const name = found in words ? found : found.toLowerCase();
    if (!(name in words)) return [];
    const before = text.slice(end, index);
    end = index + word.length;
    return [before, { word, name }];
  });
  return [...parts, text.slice(end)].filter((part) => part !== "");
}
