import type { Exercise } from "../exercises/exercise.js";

/** The exercises of the chapter "Blending and transmittance". */
export const blendingExercises: readonly Exercise[] = [
  {
    id: "blending.color",
    title: "Colour after a blob",
    task: "Compute the pixel's colour after the blob. Before it, pixel.rgb is the colour and pixel.a the transmittance. blob.rgb is the blob's colour, and blob.a its α.",
    wgsl: {
      file: "shared/blend.wgsl",
      hides: "pixel.rgb + blob.a * pixel.a * blob.rgb",
    },
    typescript: {
      file: "model/blend.ts",
      hides:
        "state.red += weight * color.red;\n  state.green += weight * color.green;\n  state.blue += weight * color.blue;",
      task: "Add the blob's color to all three channels of the pixel's state. weight is αT.",
    },
    hint: "The blob covers only what the blobs in front of it leave uncovered.",
    reason: "C′ = C + αTc: the blob covers the fraction α of the uncovered part T.",
    mistakes: [
      {
        wgsl: "pixel.rgb + blob.a * blob.rgb",
        typescript:
          "state.red += alpha * color.red;\n  state.green += alpha * color.green;\n  state.blue += alpha * color.blue;",
        says: "The blob is as bright behind others as in front of them: the transmittance is missing.",
      },
      {
        wgsl: "mix(pixel.rgb, blob.rgb, blob.a)",
        typescript:
          "state.red += alpha * (color.red - state.red);\n  state.green += alpha * (color.green - state.green);\n  state.blue += alpha * (color.blue - state.blue);",
        says: "This puts the blob in front of the others. It is the rule for back to front.",
      },
      {
        wgsl: "pixel.rgb + pixel.a * blob.rgb",
        typescript:
          "state.red += state.transmittance * color.red;\n  state.green += state.transmittance * color.green;\n  state.blue += state.transmittance * color.blue;",
        says: "The blob covers all that is still uncovered: α is missing.",
      },
      {
        wgsl: "pixel.rgb + blob.rgb",
        typescript: "state.red += color.red;\n  state.green += color.green;\n  state.blue += color.blue;",
        says: "This adds the whole colour of each blob. Its weight in the pixel is αT.",
      },
    ],
  },
  {
    id: "blending.transmittance",
    title: "Transmittance after a blob",
    task: "Compute the transmittance after the blob. pixel.a is the transmittance before it, and blob.a is α. Write ATTENUATION · α for α: ATTENUATION is 1 in alpha compositing, and 0 where blobs are summed.",
    wgsl: {
      file: "shared/blend.wgsl",
      hides: "pixel.a * (1.0 - ATTENUATION * blob.a)",
    },
    typescript: {
      file: "model/blend.ts",
      hides: "state.transmittance *= 1 - attenuation * alpha;",
      task: "Change state.transmittance to the transmittance after the blob. Write attenuation · alpha for α: attenuation is 1 in alpha compositing, and 0 where blobs are summed.",
    },
    hint: "The blob covers the fraction α of what is still uncovered.",
    reason: "The fraction 1 − α stays uncovered, so T′ = T (1 − α). The attenuation is 1 here.",
    mistakes: [
      {
        wgsl: "pixel.a - blob.a",
        typescript: "state.transmittance -= alpha;",
        says: "α is a fraction of the uncovered part, and not of the whole pixel. This can become negative.",
      },
      {
        wgsl: "pixel.a * blob.a",
        typescript: "state.transmittance *= alpha;",
        says: "α is the fraction that the blob blocks. The rest passes.",
      },
      {
        wgsl: "1.0 - blob.a",
        typescript: "state.transmittance = 1 - alpha;",
        says: "This forgets all blobs in front of this one.",
      },
      {
        wgsl: "pixel.a * (1.0 - blob.a)",
        typescript: "state.transmittance *= 1 - alpha;",
        says: "This is right in alpha compositing. Where blobs are summed, the attenuation is 0 and T stays 1: multiply α by it.",
      },
    ],
  },
  {
    id: "blending.order",
    title: "Order of the blobs",
    task: "Write the head of the loop over the list of the pixel: a start, a condition and an update. sh_blobs has blobCount entries, sorted by index, and i is the current one. storeState does nothing here.",
    wgsl: { file: "tiled/fineRasterize.wgsl", hides: "var i = 0u; i < blobCount; i++" },
    typescript: {
      file: "model/rasterize.ts",
      hides: "let index = 0; index < blobs.length; index++",
      task: "Write the head of the loop over the list of the pixel: a start, a condition and an update. blobs is the list, sorted by index, and blobs[index] is the current blob.",
    },
    hint: "The blob with the smallest index is in front, and T starts at 1 there.",
    reason:
      "Front to back means from the first entry to the last: T is then the part that all blobs in front leave uncovered.",
    mistakes: [
      {
        wgsl: "var i = i32(blobCount) - 1; i >= 0; i--",
        typescript: "let index = blobs.length - 1; index >= 0; index--",
        says: "This visits the farthest blob first, and lets it cover the whole pixel.",
      },
      {
        wgsl: "var i = 1u; i < blobCount; i++",
        typescript: "let index = 1; index < blobs.length; index++",
        says: "This leaves out the first blob, which is at 0.",
      },
      {
        wgsl: "var i = 0u; i + 1u < blobCount; i++",
        typescript: "let index = 0; index + 1 < blobs.length; index++",
        says: "This leaves out the last blob.",
      },
      {
        wgsl: "var i = 0u; i <= blobCount; i++",
        typescript: "let index = 0; index <= blobs.length; index++",
        says: "This reads one entry too many. Entries are counted from 0, so the last one is at the length minus 1.",
      },
    ],
  },
];
