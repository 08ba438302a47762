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
    return `<p>${label}${inHtml(text.replace(/\.?$/, "."))}</p>`;
  });
  return [text && `<p>${inHtml(text)}</p>`, ...tagged].filter(Boolean).join("\n");
}

const codeHtml = (signature: string) => `<code>${inHtml(signature.replaceAll("`", ""))}</code>`;

function entry(entry: LibraryEntry): string {
  const members = entry.members.map((member) => `<dt>${codeHtml(member.signature)}</dt>\n<dd>${docHtml(member)}</dd>`);
  return [
    `### ${entry.name}`,
    `<p class="signature">${codeHtml(entry.signature)}</p>`,
    docHtml(entry),
    members.length > 0 ? `<dl class="members">\n${members.join("\n")}\n</dl>` : "",
    `<p class="source">${entry.file}</p>`,
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
style: ../components/page/docs.css
---

# Library

The package \`splatbook\` trains images in any page that a bundler builds, such as a project of Observable Framework or Vite. It contains the engine, its kernels and its workers, and makes no requests to other origins.

## Installation

The package is not in a registry. Pack it in a checkout, and install the archive in your project.

\`\`\`sh
npm pack                                  # in the checkout: writes splatbook-0.1.0.tgz
npm install path/to/splatbook-0.1.0.tgz   # in your project
\`\`\`

A page with a content security policy has to allow \`worker-src blob:\`, since the library's workers are part of its one file. The pipeline \`cpu\` also needs \`'wasm-unsafe-eval'\` in \`script-src\`, since such workers inherit the page's policy.

## Training an image

\`\`\`js run=false
import {decodeImage, openEngine, train} from "splatbook";

const engine = await openEngine();
const image = {...await decodeImage(file, "mine", 256), name: "mine"};
const run = train({engine, image, blobs: 2000, steps: 500});
for await (const snapshot of run.snapshots()) if (snapshot.step === run.until) break;
const {value: table} = await run.parameters().next();
\`\`\`

\`file\` is a \`File\` or \`Blob\` with an image. \`table\` is an [Arrow table](./files) with one row per Gaussian.

In a page of Framework, \`const snapshot = run.snapshots()\` is a cell of its own, and other cells follow it. Pass \`invalidation\` as the second argument of \`train\`, and a run ends when its cell runs again.

## Modules

- \`splatbook\` has the engine, images and runs. This page lists its names.
- \`splatbook/figures\` has the inputs and figures that pages share.
- \`splatbook/learn/tiles\` and the like have the figures of one chapter.
- \`splatbook/splatbook.css\` has the styles: \`@import url("splatbook/splatbook.css");\`.

The image gallery and the live cell editor work on this site only. The [command line](./command-line) needs a checkout.

${sections.join("\n\n")}
`);
