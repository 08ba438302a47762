// The page of the command line, generated from the program's help.
import type { EventEmitter } from "node:events";
import { Command, type Option } from "commander";
import { addConfigFlags } from "../cli/configFlags.js";
import { exitCodes, makeProgram } from "../cli/program.js";
import { fields } from "../engine/fields.js";
import { inHtml, referenceTable } from "../site/docs.js";

const labels: Partial<Record<string, { label: string }>> = fields;
const program = makeProgram();
const trainingCommand = new Command();
addConfigFlags(trainingCommand);
const optionKey = ({ flags, description }: Option) => `${flags} ${description}`;
const trainingOptions = new Set(trainingCommand.options.map(optionKey));

/** Returns a help text as a sentence. */
const sentence = (text: string) => `${text[0].toUpperCase()}${text.slice(1)}${/[.:]$/.test(text) ? "" : "."}`;

const optionMarkup = (flags: string) => flags.replace(/(<[^>]+>)/, "`$1`").replace(/(--?[\w-]+)/g, "`$1`");

/** Marks option names in a text as code. */
const markOptions = (text: string) => text.replace(/(--[a-z][\w-]*)/g, "`$1`");

/** Returns a table of options, with their labels in the lab if `withLabels`. */
function optionTable(options: readonly Option[], withLabels = false): string {
  const rows = options.map((option) => {
    const [, meaning, value] = /^(.*?)(?: \(default: (.+)\))?$/s.exec(option.description)!;
    const label = labels[option.attributeName()]?.label ?? "";
    const cells = [optionMarkup(option.flags), markOptions(sentence(meaning)), value ?? option.defaultValue ?? ""];
    return [...cells, ...(withLabels ? [label] : [])].map((cell) => inHtml(String(cell)));
  });
  const heads = ["Option", "Meaning", "Default", ...(withLabels ? ["In the lab"] : [])];
  return rows.length > 0 ? referenceTable(heads, rows) : "";
}

/** Returns the notes and examples at the end of a command's help. */
function afterHelp(command: Command): { notes: string; examples: string } {
  let text = "";
  const write = (chunk: string) => {
    text += chunk;
  };
  // Commander's types do not declare that commands are emitters.
  (command as unknown as EventEmitter).emit("afterHelp", { error: false, command, write });
  const [notes, examples = ""] = text.trim().split(/^Examples?:\n/m);
  const inProject = examples.replace(/^ {2}/gm, "").replace(/(^|\| )splatbook/gm, "$1npx splatbook");
  return { notes: notes.trim(), examples: inProject.trim() };
}

/** Returns notes as Markdown, with a paragraph per line and indented lines as code. */
function prose(notes: string): string {
  return notes.replace(/^ {2}(.+)$/gm, "\n```json run=false\n$1\n```").replace(/\n(?=[A-Z])/g, "\n\n");
}

function section(command: Command): string {
  const { notes, examples } = afterHelp(command);
  const argumentRows = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name();
    return [`\`${argument.required ? `<${name}>` : `[${name}]`}\``, markOptions(sentence(argument.description))].map(
      inHtml,
    );
  });
  const own = command.options.filter((option) => !trainingOptions.has(optionKey(option)));
  const isTraining = own.length < command.options.length;
  return [
    `## splatbook ${command.name()}`,
    sentence(command.description()),
    `\`\`\`sh\n${examples || `npx splatbook ${command.name()} --help`}\n\`\`\``,
    argumentRows.length > 0 ? referenceTable(["Argument", "Meaning"], argumentRows) : "",
    optionTable(own),
    isTraining ? "It also takes the [training options](#training-options)." : "",
    prose(notes),
  ]
    .filter(Boolean)
    .join("\n\n");
}

const list = program.commands
  .map((command) => `- [\`${command.name()}\`](#splatbook-${command.name()}): ${command.description()}`)
  .join("\n");

process.stdout.write(`---
title: Command line
description: "Every command and option of splatbook, with an example of each command."
---

# Command line

The command line trains images, and works with the run folders that training writes. In a clone of the project, start it with \`npx splatbook\`. The first start installs packages that are missing. The first command that trains on a GPU adds Dawn, its WebGPU (131 MB), and the first that uses Redis adds BullMQ and ioredis (12 MB). Each says so, and works offline afterwards. The first start after a change of the sources compiles them into \`node_modules/.cache/splatbook/\`.

\`\`\`sh
npx splatbook fit photo.jpg --preset quality
\`\`\`

${list}

\`fit\` trains on the machine's GPU through [Dawn](https://dawn.googlesource.com/dawn), and on the CPU if there is no GPU. It prints the adapter, the image size, the number of blobs and the steps. For a quick run without a GPU, reduce the image with \`--longest\` or limit the time with \`--seconds\`. Each command prints this help with \`-h\` or \`--help\`, as does \`splatbook help\` with the name of a command.

## Output and exit codes

Progress goes to stderr. With \`--json\`, stdout has one JSON object and nothing else. If the command fails, that object is \`{"error": "…"}\`.

With \`--json-lines\`, \`fit\` prints a line of JSON for each recorded step while it trains, with the values of \`metrics.arrow\`. The last line is the result. The field \`event\` is \`step\`, \`alert\`, \`result\` or \`error\`:

\`\`\`json run=false
{"event": "step", "out": "runs/photo", "blobs": 2000, "step": 10, "seconds": 0.04, "loss": 0.12, "psnr": 14, …}
{"event": "result", "out": "runs/photo", "step": 500, "result": {"loss": 0.003, "psnr": 30.1, …}, …}
\`\`\`

\`fit -\` and \`sweep -\` read the image from stdin. \`--out -\` writes the file of \`render\`, \`export\`, \`report\` or \`gradients\` to stdout.

${referenceTable(["Exit code", "Meaning"], exitCodes)}

A second Ctrl-C ends the process at once and saves nothing. \`worker\` runs until Ctrl-C, and then exits with 0. Messages and the help are coloured on a terminal, unless \`NO_COLOR\` is set. \`render\`, \`export\` and \`report\` replace an existing file only with \`--force\`.

## Alerts

\`fit\` checks the losses that it records and the state at checkpoints, and reports three kinds of alert. It prints each on stderr, and adds it to \`alerts\` in \`run.json\` with \`kind\`, \`step\`, \`loss\` and \`sentence\`.

${referenceTable(
  ["Alert", "Reported when"],
  [
    [
      "<code>diverged</code>",
      "The loss, a parameter or a moment is NaN or infinite: training stops, and the run is saved at its last checkpoint. Or the training PSNR has been 6 dB below its best, or below its first value, for <code>--alert-after</code> steps: training continues.",
    ],
    [
      "<code>stalled</code>",
      "The training PSNR has not risen by 0.01 dB for <code>--alert-after</code> steps. Training continues.",
    ],
    ["<code>goal</code>", "The goal of <code>--psnr</code> or <code>--seconds</code> is reached."],
  ],
)}

In [regions](./sweeps#large-images), each region and seam is checked for itself, and its alert has its index as \`part\`. Steps count from its start. The only kind is \`diverged\`: a region with little detail, such as sky, makes no progress for long without being wrong, and goals cannot be combined with \`--regions\`. The alert of a region that recovers is printed, but not kept in \`run.json\`. If a number of a region is NaN, the finished regions stay saved, and \`--resume\` trains it again. Workers report a region when it ends.

\`--psnr\` compares the render with the image every hundredth of the steps, and stops at the first of these steps that reaches the PSNR. \`--resume\` with \`--steps\` continues such a run. If no step reaches the PSNR, the run is saved, and \`fit\` exits with 1.

## Training options

\`fit\` and \`sweep\` take these options. If the \`quality\` preset has another default, the table names both.

${optionTable(
  trainingCommand.options.filter(({ hidden }) => !hidden),
  true,
)}

${program.commands.map(section).join("\n\n")}
`);
