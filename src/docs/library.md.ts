// The page of the library, generated from its docstrings, which test/libraryReference.ts reads.
import { readFileSync } from "node:fs";
import slugify from "@sindresorhus/slugify";
import { inHtml } from "../site/docs.js";
import type { LibraryEntry, LibraryMember } from "./libraryEntry.js";

const entries: LibraryEntry[] = JSON.parse(readFileSync(new URL("library.json", import.meta.url), "utf8"));

const kinds: [heading: string, kind: RegExp][] = [
  ["Functions and values", /^(?:async )?function |^const /],
  ["Classes", /^class /],
  ["Types", /^(?:interface|type) /],
];

/** Returns a docstring as HTML. */
function docHtml({ text, tags }: LibraryMember): string {
  const tagged = tags.map(({ tag, of: parameter, text }) => {
    const label = tag === "param" ? `<code>${parameter}</code>: ` : tag === "throws" ? "Throws " : "Returns ";
    // In the code, "of one sentence" is a rule for the error's text.
    const shown = text.replace(/(?:an )?Error of one sentence/, "an Error").replace(/\.?$/, ".");
    return `<p>${label}${inHtml(shown)}</p>`;
  });
  return [text && `<p>${inHtml(text)}</p>`, ...tagged].filter(Boolean).join("\n");
}

const codeHtml = (signature: string) => `<code>${inHtml(signature.replaceAll("`", ""))}</code>`;

function entry(entry: LibraryEntry): string {
  const members = entry.members.map((member) => `<dt>${codeHtml(member.signature)}</dt>\n<dd>${docHtml(member)}</dd>`);
  return [
    `### ${entry.name}`,
    `<p>${codeHtml(entry.signature)}</p>`,
    docHtml(entry),
    members.length > 0 ? `<dl>\n${members.join("\n")}\n</dl>` : "",
    `<p class="quiet">${entry.file}</p>`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

const sections = kinds.map(([heading, kind]) => {
  const own = entries.filter(({ signature }) => kind.test(signature));
  const links = own.map(({ name }) => `[\`${name}\`](#${slugify(name)})`).join(", ");
  return `## ${heading}\n\n${links}.\n\n${own.map(entry).join("\n\n")}`;
});

process.stdout.write(`---
title: Library
description: "How to train Gaussians in your own page or project, and the reference of all names of the library."
---

# Library

The package \`splatbook\` trains images in pages, in Node and in Deno. It contains the engine, its kernels and its workers, and makes no requests to other origins.

## Installation

The package is not in a registry. Pack it in a checkout, and install the archive in your project.

\`\`\`sh
npm pack                                  # in the checkout: writes splatbook-0.1.0.tgz
npm install path/to/splatbook-0.1.0.tgz   # in your project
\`\`\`

The package also has the [command line](./command-line): \`npx splatbook fit photo.jpg\` works in your project. Only \`bench\` without an image needs a checkout. The packages of the command line, and those for the GPU and images in Node, are optional dependencies, such as Dawn and sharp. They take 180 MB, which \`npm install --omit=optional\` saves in projects that train only in pages.

The types are tested with TypeScript 7.0, under \`strict\` and with \`moduleResolution\` set to \`bundler\`. TypeScript 5.9, whose DOM types lack WebGPU, needs \`skipLibCheck\`.

A page with a content security policy has to allow \`worker-src blob:\`, since the library's workers are part of its one file. The pipeline \`cpu\` also needs \`'wasm-unsafe-eval'\` in \`script-src\`, since such workers inherit the page's policy.

## Training an image

\`\`\`js run=false
import {decodeImage, openEngine, train} from "splatbook";

const engine = await openEngine();
const image = {...await decodeImage(file, "mine", 256), name: "mine"};
const run = train({engine, image, blobs: 2000, steps: 500});
const {step, loss} = await run.finished;
const {value: table} = await run.parameters().next();
console.log(step, loss, table.numRows);
\`\`\`

\`file\` is a \`File\` or \`Blob\` with an image. \`table\` is an [Arrow table](./files) with one row per Gaussian. The examples below use \`engine\` and \`image\`.

In a page of Framework, \`const snapshot = run.snapshots()\` is a cell of its own, and other cells follow it. Pass \`invalidation\` as the second argument of \`train\`, and a run ends when its cell runs again.

## Custom training

### End of a run

\`finished\` resolves with the last snapshot, however training ends: after the last step, by early stopping or by \`stop\`. It rejects with the error of a run that fails. Loops over values such as \`snapshots\` and \`parameters\` end with the run. With an \`invalidation\`, they end when it resolves, since readers of the page can continue the run.

\`\`\`js run=false
import {train} from "splatbook";

const run = train({engine, image, blobs: 200, steps: 5000, plateau: 0.1});
for await (const {psnr} of run.snapshots()) if (psnr > 20) run.stop();
const {step, psnr} = await run.finished;
console.log(\`\${psnr.toFixed(2)} dB after \${step} steps\`);
\`\`\`

### Values of every step

\`steps\` yields every step with its exact values, while training waits. The loss and \`gradients\` are at the parameters before the step; \`parameters\` are those after it. Both are Arrow tables with one row per Gaussian, and are made when they are read. Between two steps, density control may move Gaussians.

\`\`\`js run=false
import {train} from "splatbook";

const run = train({engine, image, blobs: 200, steps: 50});
for await (const {step, loss, parameters, gradients} of run.steps()) {
  const largest = Math.max(...gradients.getChild("center_x").toArray().map(Math.abs));
  const [x] = parameters.getChild("center_x_decoded");
  console.log(step, loss, largest, x);
}
\`\`\`

### A hook after each step

\`afterStep\` is called with the values of each step. Training waits for its promise, and fails with its error.

\`\`\`js run=false
import {train} from "splatbook";

const losses = [];
const run = train({engine, image, blobs: 200, steps: 50, afterStep: ({loss}) => losses.push(loss)});
await run.finished;
console.log(losses.length, losses.at(-1) < losses[0]);
\`\`\`

### Custom training loop

A \`Trainer\` takes steps only while you iterate over \`run()\`. It needs a complete configuration and the backend of its pipeline. Its image has \`width\`, \`height\` and \`data\`, RGBA in bytes. \`inspect\` reads the state and its gradients at any time, and \`render\` the image of the blobs.

\`\`\`js run=false
import {completeConfig, Trainer} from "splatbook";

const config = completeConfig({blobs: 200, steps: 50, pipeline: engine.kind === "cpu" ? "cpu" : "binned"});
const trainer = new Trainer(config, image.image, engine.backend(config.pipeline));
for await (const {step, loss, gradients} of trainer.run({recordGradientsEvery: 1})) {
  const {parameters} = await trainer.readState();
  console.log(step, loss, gradients.length, parameters.length);
}
\`\`\`

## Custom stages

A job can replace the loss and the optimizer by WGSL. Both work with all pipelines on a GPU; \`cpu\` rejects them. If the WGSL does not compile, the run fails, and its error names the line: \`loss.wgsl:2:10\`.

### A loss in WGSL

\`loss\` is the loss of a pixel, and \`lossGradient\` its gradient. \`checkGradients\` compares the gradients of the whole backward pass with finite differences of \`loss\`, on your GPU. The \`loss\` and \`psnr\` of snapshots remain those of the squared error, so that runs are comparable.

\`\`\`js run=false
import {checkGradients, train} from "splatbook";

const loss = \`
fn loss(rgb: vec3f, targetRgb: vec3f) -> f32 { return dot(abs(rgb - targetRgb), vec3f(1)); }
fn lossGradient(rgb: vec3f, targetRgb: vec3f) -> vec3f { return sign(rgb - targetRgb); }\`;
const {agrees, groups} = await checkGradients({engine, loss});
for (const {group, disagreement} of groups) console.log(group, disagreement);
const {psnr} = await train({engine, image, blobs: 200, steps: 50, loss}).finished;
console.log(agrees, psnr);
\`\`\`

### An optimizer in WGSL

\`optimize\` returns the next state of a raw parameter from its gradient and its learning rate, which includes the schedule. \`first\` and \`second\` are for the optimizer. Adam has its moments there.

\`\`\`js run=false
import {train} from "splatbook";

const optimizer = \`
fn optimize(state: AdamState, gradient: f32, rate: f32) -> AdamState {
  let momentum = 0.9 * state.first + gradient;
  return AdamState(state.parameter - rate * momentum, momentum, 0);
}\`;
const run = train({engine, image, blobs: 200, steps: 50, learningRate: 0.1, optimizer});
console.log((await run.finished).psnr);
\`\`\`

## Node and Deno

In Node, the library trains on a GPU with the package [webgpu](https://www.npmjs.com/package/webgpu) (Dawn), if it is installed, and otherwise on the CPU. Deno has its own WebGPU. If \`engine.kind\` is \`software\`, no GPU was found, and \`pipeline: "cpu"\` is faster. \`engine.fallbackReason\` says why there is no GPU. Charts and saved runs need a browser.

\`\`\`js run=false
import {readFile} from "node:fs/promises";
import {decodeImage, openEngine, train} from "splatbook";

const {image} = await decodeImage(new Blob([await readFile("photo.jpg")]), "photo.jpg", 512);
const engine = await openEngine();
const {step, loss} = await train({engine, image, blobs: 500, steps: 50}).finished;
console.log(step, loss);
engine.close();
\`\`\`

In Node, a script that has opened a GPU ends only after \`close\`.

## In Jupyter

A notebook in TypeScript can import the library, in the [kernel of Deno](https://docs.deno.com/runtime/reference/cli/jupyter/). \`data/notebooks/train.ipynb\` trains on the GPU if there is one, shows the render and charts of [Plot](https://observablehq.com/plot) while it trains, and writes Arrow:

\`\`\`sh
npm pack                        # in the checkout: the cells import its package
deno jupyter --install          # adds the kernel to Jupyter
jupyter lab data/notebooks
\`\`\`

## Styles

\`@import url("splatbook/splatbook.css");\` has the styles of run bars, settings and images.

The image gallery and the live cell editor work on this site only.

${sections.join("\n\n")}
`);
