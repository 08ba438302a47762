/** The glossary: term → definition. Each figure explains the terms in its text where they first occur. */
export const glossary: Record<string, string> = {
  Adam: "An optimizer that scales each parameter’s step by running means of its gradient and of the gradient’s square.",
  adjoint: "The derivative of the loss with respect to an intermediate value. The adjoint of x is written x̄.",
  "alpha compositing":
    "Blending layers by opacity: each blob adds its colour times its α times the transmittance of all blobs before it.",
  backpropagation: "Computing the gradient by applying the chain rule from the loss back to the parameters.",
  "backward pass": "The part of a step that computes the gradient of the loss with respect to all parameters.",
  barrier: "A point in a kernel that a thread passes only after all threads of its workgroup have reached it.",
  "bias correction":
    "The factor by which Adam scales up its running means, which start at zero and are too small at first.",
  bitonic: "A list is bitonic if it, or a rotation of it, rises and then falls.",
  blob: "A 2D Gaussian: a soft, coloured ellipse with a centre, a covariance, a colour and an opacity.",
  clamp: "To limit a number to a range: values beyond a limit become the limit.",
  comparator: "A pair of positions. It compares their numbers and swaps them if they are in the wrong order.",
  conic: "The inverse of a blob’s covariance matrix. It defines how fast the blob fades in each direction.",
  covariance: "The size and shape of a blob: its horizontal and vertical variance, and their correlation.",
  "CPU reference": "The TypeScript version of a kernel in float64. Tests compare the kernel with it.",
  densification: "Adding blobs during training where the error is large.",
  "density control": "Densification and pruning: adding and removing blobs during training.",
  dispatch: "One command to the GPU that starts a number of workgroups.",
  finalCount: "The number of blobs of the list that a pixel blended before it was opaque.",
  falloff: "G = e^P with the power P of a blob at a pixel: 1 at its centre, 0 outside its support.",
  "forward pass": "The part of a step that renders the image from the parameters.",
  Gaussian:
    "The primitive of splatting: a soft, coloured ellipse with a centre, a covariance, a colour and an opacity.",
  gradient: "The derivatives of the loss with respect to all parameters.",
  "gradient check": "A comparison of the computed gradient with finite differences of the loss.",
  intersection: "A tile and a blob that overlap: one entry of the tile’s list.",
  invocation: "WGSL’s term for a thread.",
  kernel: "A program that a GPU runs in many threads at once.",
  lane: "The position of a thread in its subgroup.",
  "learning-rate schedule": "How the learning rate changes over the steps of a run.",
  "local index": "The number of a thread within its workgroup.",
  opacity: "The fraction of a pixel that a blob covers at its centre, up to the limit of α, 0.99.",
  power: "P in a blob’s falloff e^P: 0 at its centre, −8 at the edge of its support.",
  probe: "A line that a figure adds to a kernel to record a value.",
  preset: "A named set of settings: baseline, the original algorithm, or quality.",
  pruning: "Removing blobs that hardly contribute to the image.",
  PSNR: "Peak signal-to-noise ratio: the squared error of an image in decibels. Higher is better.",
  "raw parameter": "One of the nine trained numbers of a blob, before decoding.",
  segment: "A range of a tile’s list, of 32 blobs or more. The backward pass processes the segments in parallel.",
  sentinel: "A number greater than any blob’s index, which fills the unused places of a list.",
  "short-list":
    "The tile list of the original algorithm: the blobs that may reach a tile, at most GAUSSIANS_PER_BLOCK.",
  "software adapter": "A WebGPU adapter that runs kernels on the CPU, such as SwiftShader.",
  splatting: "Rendering primitives by projecting each onto the pixels it covers and blending them.",
  stale: "A value is stale if it was read before another thread wrote a new one.",
  stride: "The distance between a thread and the thread that provides the number to add.",
  subgroup: "Threads of a workgroup that a GPU runs in lockstep, usually 32 or 64.",
  support: "The region where a blob is not zero: the ellipse of four standard deviations around its centre.",
  "tile list": "The blobs that overlap a tile, in ascending index. All pixels of the tile blend this list.",
  tile: "A rectangle of pixels, such as 8 × 4, that one workgroup processes.",
  transmittance: "The fraction of a pixel that the blobs so far leave uncovered.",
  workgroup: "Threads that run together, share a small fast memory and can wait for each other.",
  T: "The transmittance: the fraction of a pixel that the blobs so far leave uncovered.",
  α: "The fraction of what is behind it that a blob covers at a pixel.",
  "4σ": "Four standard deviations from a blob’s centre, where the blob ends.",
};

// Longer terms first. Symbols match in their own case only.
const terms = Object.keys(glossary).sort((a, b) => b.length - a.length);
const termPattern = new RegExp(`(?<![\\p{L}\\d_-])(${terms.join("|")})(?:s|es)?(?![\\p{L}\\d_-])`, "giu");

/** Returns a text split into plain text and terms, each with its name in `words`. */
export function splitTerms(text: string): (string | { word: string; name: string })[] {
  let end = 0;
  const parts = [...text.matchAll(termPattern)].flatMap(({ 0: word, 1: matched, index }) => {
    const name = matched in glossary ? matched : matched.toLowerCase();
    if (!(name in glossary)) return [];
    const before = text.slice(end, index);
    end = index + word.length;
    return [before, { word, name }];
  });
  return [...parts, text.slice(end)].filter((part) => part !== "");
}
