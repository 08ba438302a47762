// The commands that read a run, serve runs, or train jobs of others.
import { Command } from "commander";
import { parseCrop, parseSize } from "../terminal/flags.js";
import { count, forceOption, jsonOption, quietOption } from "./options.js";

const runHelp = "a run folder";
const blobsHelp = "a run folder, or a .splat2d file";

export function viewCommand(): Command {
  return new Command("view")
    .description("serve a table of all runs of a folder, with their reports, while they train")
    .argument("[folder]", "folder with run folders at any depth, or one of them", "runs")
    .option(...count("--port <n>", "port of the page (default: 4100, or any that is free)"))
    .option("--host <name>", "address to listen on; with any other, more machines can read the runs", "127.0.0.1")
    .option("--open", "open the page in the browser")
    .addHelpText(
      "after",
      `
The pages follow each checkpoint of fit and sweep, also of commands on other machines that write to the folder.

Examples:
  splatbook view
  splatbook view runs/photos --port 8000 --open`,
    )
    .action(async (folder, options) => (await import("./view.js")).view(folder, options));
}

export function workerCommand(): Command {
  return new Command("worker")
    .description("train jobs of sweep and fit, until Ctrl-C")
    .option("--redis <url>", "the Redis with the jobs of sweep --redis and fit --redis")
    .option("--runs <folder>", "a folder that all machines share and that contains --out")
    .option(...count("--workers <n>", "number of jobs at a time (default: one per GPU)"))
    .option(...jsonOption)
    .option(...quietOption)
    .addHelpText(
      "after",
      `
If a worker is killed, another continues its job within a minute.
The password of Redis can be in the environment variable SPLATBOOK_REDIS_PASSWORD.

Example:
  splatbook worker --redis redis://HOST:6379 --runs /shared/runs`,
    )
    .action(async (options) => (await import("./worker.js")).worker(options));
}

export function gradientsCommand(): Command {
  return new Command("gradients")
    .description("run one backward pass at the final parameters of a run")
    .argument("<run>", runHelp)
    .option("--out <file>", "Arrow file to write, or - for stdout (default: add to the gradients.arrow of the run)")
    .option(...jsonOption)
    .addHelpText("after", "\nExample:\n  splatbook gradients runs/photo --out gradients.arrow")
    .action(async (folder, options) => (await import("./gradients.js")).gradients(folder, options));
}

export function renderCommand(): Command {
  return new Command("render")
    .description("render the blobs of a run at any size")
    .argument("<run>", blobsHelp)
    .option(
      "--size <WxH>",
      "size in pixels; another aspect ratio crops the image around its centre (default: that of the image or crop)",
      parseSize,
    )
    .option("--crop <X,Y,WxH>", "part of the image to render, in pixels of the image", parseCrop)
    .requiredOption("--out <file>", "PNG file to write, or - for stdout")
    .option(...forceOption)
    .option(...jsonOption)
    .addHelpText(
      "after",
      `
Examples:
  splatbook render runs/photo --size 2048x2048 --out large.png
  splatbook render runs/giga --crop 9000,4000,800x600 --size 1600x1200 --out part.png
  splatbook render photo.splat2d --out - | magick - photo.jpg`,
    )
    .action(async (path, options) => (await import("./render.js")).render(path, options));
}

export function exportCommand(): Command {
  return new Command("export")
    .description("write the blobs of a run as a compressed file")
    .argument("<run>", blobsHelp)
    .requiredOption("--out <file>", ".splat2d file to write, or - for stdout")
    .option(...forceOption)
    .option(
      "--precision <x>",
      "quantization precision; 2 halves the quantization steps (default: by the error of the run)",
    )
    .option(...jsonOption)
    .addHelpText(
      "after",
      `
Examples:
  splatbook export runs/photo --out photo.splat2d
  splatbook export runs/photo --precision 0.5 --out small.splat2d`,
    )
    .action(async (path, options) => (await import("./export.js")).exportBlobs(path, options));
}

export function reportCommand(): Command {
  return new Command("report")
    .description("write runs or a sweep as one self-contained HTML file")
    .argument("<run...>", "run folders, or the folder of a sweep")
    .option("--out <file>", "HTML file to write, or - for stdout", "report.html")
    .option(...forceOption)
    .option(...jsonOption)
    .option(...quietOption)
    .addHelpText(
      "after",
      `
The report of a sweep has a chart of all runs, their ranking, and the report of the best run.

Examples:
  splatbook report runs/photo runs/other --out photo.html
  splatbook report runs/photo-sweep --out sweep.html`,
    )
    .action(async (folders, options) => (await import("./report.js")).report(folders, options));
}

export function verifyCommand(): Command {
  return new Command("verify")
    .description("check the files of a run")
    .argument("<run>", runHelp)
    .option(...jsonOption)
    .option(...quietOption)
    .addHelpText("after", "\nExample:\n  splatbook verify runs/photo")
    .action(async (folder, options) => (await import("./verify.js")).verify(folder, options));
}
