// The page of files and columns. The descriptions of columns are those in the files' metadata.
import {
  type ColumnNotes,
  gradientNotes,
  metricsNotes,
  parameterNotes,
  sweepNotes,
} from "../engine/files/columnNotes.js";
import { formatVersion } from "../engine/files/formatVersion.js";
import { runFiles } from "../engine/files/runFiles.js";
import { inHtml, referenceTable } from "../site/docs.js";

function columnTable(notes: ColumnNotes): string {
  const rows = Object.entries(notes).map(([name, texts]) => [`<code>${name}</code>`, ...texts.map(inHtml)]);
  return referenceTable(["Column", "Unit", "Meaning"], rows);
}

const direct = { parameterization: "direct" } as const;
const smoothstep = { parameterization: "smoothstep" } as const;
const selectNotes = (notes: ColumnNotes, has: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(notes).filter(([name]) => has(name)));
const isDecoded = (name: string) => /_(decoded|pixels)$/.test(name);

const files = [
  [runFiles.description, "Configuration, image, machine, timings, result, and the SHA-256 of each other file."],
  [runFiles.parameters, "The Gaussians: one row each, raw, decoded, and with deviations in pixels."],
  [runFiles.gradients, "Gradients of recorded steps: one row per step and Gaussian."],
  [runFiles.metrics, "Loss, PSNR, gradient norms and tile lists: one row per recorded step."],
  [runFiles.optimizer, "Adam's moments: one row per Gaussian. Training resumes from them."],
  [runFiles.render, "The final render, 8 bits per channel."],
  [runFiles.target, "The image that was learned."],
  [runFiles.splat2d, "The Gaussians, compressed."],
  ["film/STEP.png", "Small renders at the start, after 4, 16, 64 and so on steps, and at the end."],
].map(([name, text]) => [`<code>${name}</code>`, text]);

const fields = [
  ["version", `Format version, ${formatVersion}. Version 1 is read too.`],
  ["config", "The configuration, with all defaults filled in."],
  [
    "image",
    "Name of the image; width, height and hash of the pixels of `target.png`, which `--longest` makes smaller than the image.",
  ],
  ["step", "Steps that the run has taken."],
  ["horizon", "Step at which the learning-rate schedule ends, if it is not the last step."],
  ["earlier", "Step budgets before the run was extended."],
  ["plateau", "State of early stopping, if the run uses it."],
  ["recordEvery", "Steps between two rows of metrics.arrow; 0 for irregular steps, as a page records them."],
  ["recordGradientsEvery", "The same for gradients.arrow; absent if it has only the last step."],
  ["regions", "Regions of a large image, and how many are done."],
  ["film", "Steps with an image in film/."],
  ["host, adapter, versions", "Machine or browser, GPU or `CPU`, and versions of packages."],
  ["fallback", "Why the run used the CPU instead of a GPU."],
  [
    "timings",
    "When the files were written, seconds of training, steps per second, and milliseconds per kernel where the GPU has timestamps.",
  ],
  ["goal", "The PSNR or the time at which the run was to end, and whether it was reached."],
  [
    "alerts",
    "What `fit` reported while it trained, such as a run that diverged: kind, step, loss and a sentence, and in regions the index of the region or seam.",
  ],
  ["files", "SHA-256 of each other file, by name."],
  [
    "result",
    "Loss and PSNR of the final parameters, and the size and PSNR of blobs.splat2d. An infinite PSNR is null.",
  ],
].map(([name, text]) => [
  name
    .split(", ")
    .map((field) => `<code>${field}</code>`)
    .join(", "),
  inHtml(text),
]);

const images = [
  ["PNG", "Grey, palette and RGB, up to 16 bits; the first image of an animation", ""],
  [
    "JPEG",
    "Grey, RGB and CMYK of 8 bits. Harmless warnings, such as extra bytes between segments, are ignored",
    "12 bits, lossless, hierarchical",
  ],
  ["WebP", "The first frame of an animation", "More than 67,108,864 pixels"],
  ["TIFF, AVIF, GIF, HEIC, SVG and others", "", "All. A page reads what its browser can"],
];

process.stdout.write(`---
title: Files and columns
description: "The files of a run: every Arrow column with its unit and meaning, run.json and .splat2d."
---

# Files and columns

A run is a folder. The command line and the lab write the same files, and each reads those of the other. Files and options call a 2D Gaussian a blob.

${referenceTable(["File", "Contents"], files)}

The tables are Arrow files (Feather version 2), so any Arrow library reads them:

\`\`\`py run=false
import pyarrow.feather
table = pyarrow.feather.read_table("runs/astronaut/parameters.arrow")
table.select(["blob", "center_x", "opacity_decoded"])
table.schema.field("center_x").metadata   # unit and description
\`\`\`

No column has nulls. The fields of each table have \`unit\` and \`description\` as metadata, with the text of this page. The schema's metadata holds the configuration as JSON in \`splatbook\`, and the format version in \`splatbook_format\`.

Every reader checks the SHA-256 of a file before using it, and rejects damaged, truncated or incompatible files with an error. With Node 20, a file can have up to 4 GiB, which is 51 million Gaussians.

## parameters.arrow

One row per Gaussian. A Gaussian has nine raw parameters, which training changes, nine decoded values, and two standard deviations in pixels. The schema metadata \`step\` is the number of steps taken. Numbers are float32, \`blob\` is uint32. The tables of the lab, and the files that it saves from them, leave out Gaussians that density control has not activated yet.

The raw columns depend on the setting \`parameterization\`. With \`direct\`, which the \`quality\` preset uses:

${columnTable(selectNotes(parameterNotes(direct), (name) => !isDecoded(name)))}

With \`smoothstep\`, which the original algorithm uses:

${columnTable(selectNotes(parameterNotes(smoothstep), (name) => !isDecoded(name)))}

The decoded columns have the same names in both. Their lengths are relative to the image, except for the standard deviations in the last two columns, which older files lack.

${columnTable(selectNotes(parameterNotes(direct), isDecoded))}

## gradients.arrow

One row per recorded step and Gaussian: the derivative of the loss with respect to each raw parameter. Numbers are float32, \`step\` and \`blob\` are uint32. The gradients of step n are those at the parameters after n − 1 steps. The schema metadata \`parameters_step\` is n − 1; in a file with several steps, it is the literal text \`step - 1\`. \`splatbook gradients\` adds the gradients at the run's final parameters, as the step after the last.

${columnTable(selectNotes(gradientNotes(direct), (name) => name === "step" || name === "blob"))}

The other nine columns have the names of the raw parameters. Their units are the inverse of those above.

## optimizer.arrow

One row per Gaussian: \`blob\`, and the moments of [Adam](https://arxiv.org/abs/1412.6980) for each raw parameter, without bias correction, as float32. The columns \`first_moment_NAME\` have the unit of the gradient, \`second_moment_NAME\` its square.

## metrics.arrow

One row per recorded step. \`step\`, \`region\` and the last three columns of tile lists are uint32, the others float64. Only runs in regions have the column \`region\`.

${columnTable(metricsNotes())}

## sweep.arrow

One row per run of a [sweep](./sweeps). The swept settings come first, each as a column in snake case such as \`learning_rate\`. Then:

${columnTable(sweepNotes())}

## run.json

${referenceTable(["Field", "Contents"], fields)}

## Images

\`fit\` and \`sweep\` detect the format of an image by its contents. What cannot be read correctly is rejected with an error that names it.

${referenceTable(["Format", "Read", "Rejected"], images)}

- Transparent pixels are composited over white, 16 bits are rounded to 8, and the EXIF orientation is applied.
- Colours with a profile are converted to sRGB: in Node by Little CMS, in a page by its browser. Their values can differ by a level, and those of CMYK and of profiles with tables by more. Files that declare sRGB, or have no profile, keep every value.
- A page reads what its browser can, with 8 bits per channel: AVIF and GIF too.
- Interlaced PNG and progressive JPEG, which are decoded as a whole, can have up to 67,108,864 pixels. Other PNG and JPEG can be larger, with [\`--regions\`](./sweeps) or \`--longest\`.

## blobs.splat2d

A compressed file of the Gaussians, with 50 to 90 bits for each in recorded runs. \`render\` and \`export\` read it. Training resumes from \`parameters.arrow\`, which keeps every bit; \`.splat2d\` rounds.

${referenceTable(
  ["Bytes", "Contents"],
  [
    ["0 to 6", "0x89 and the letters <code>splat2</code>"],
    ["7", "Version, 1"],
    ["8 to 11", "Length of the file in bytes, uint32, little endian"],
    ["12 to 15", "CRC-32 of everything that follows, uint32, little endian"],
    [
      "from 16",
      "Length of the head (LEB128), and the head: JSON with image size, quantization steps and configuration, deflated with a preset dictionary",
    ],
    [
      "then",
      "With <code>blend: sum</code>, the lowest x and y. Then a column per parameter: quantized values or differences, Huffman-coded by zlib, with the low bits stored separately. Red and blue are stored relative to green",
    ],
  ],
)}

\`fit\` and \`export\` choose a quantization that adds a tenth to the squared error, which costs up to 0.4 dB. \`export --precision\` sets it instead. Gaussians that cannot be seen are left out. With \`blend: sum\`, where order has no effect, Gaussians are sorted by position, which compresses better.
`);
