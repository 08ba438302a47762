// The script of the one file that `splatbook report` writes: it shows the runs that the file holds.
import { gpuBackend } from "../../engine/gpu/backend.js";
import { Gpu } from "../../engine/gpu/device.js";
import { element } from "../element.js";
import { count, decibels } from "../format.js";
import { curveOf } from "../runs/curve.js";
import { runCurves, runKey } from "../runs/runCurves.js";
import { factTable } from "./facts.js";
import { heldFiles } from "./files.js";
import { type HeldReports, reportOf } from "./heldRun.js";
import { fitPaper } from "./onPaper.js";
import type { Report } from "./report.js";
import type { OpenEngine } from "./rerun.js";
import { runReport } from "./runReport.js";
import { dateOf, psnrOf } from "./summary.js";

const held: HeldReports = JSON.parse(document.getElementById("held")!.textContent!);
const shaders = new Map(held.shaders);
const main = document.getElementById("observablehq-main")!;

/** A file has no workers of its own, so it has no CPU engine. */
const open: OpenEngine = async () => {
  const gpu = navigator.gpu && (await Gpu.open(navigator.gpu, shaders));
  const because = navigator.gpu ? "This browser has WebGPU, but no adapter for it." : "This browser has no WebGPU.";
  if (!gpu) {
    const backend = () => {
      throw new Error(because);
    };
    return { kind: "cpu", description: "no GPU", because, backend };
  }
  const backend = gpuBackend(gpu, () => Gpu.open(navigator.gpu, shaders));
  return { kind: gpu.isSoftware ? "software" : "gpu", description: backend.description, backend: () => backend };
};

/** What stands above several runs: which they are, and how near they came. */
function overview(reports: Report[]): HTMLElement {
  const runs = reports.map(({ name, description, rows }) => ({
    name,
    ...curveOf({ config: description.config, snapshots: rows }),
  }));
  const rows = reports.map(({ name, description }) => {
    const { config, image, step, timings, result, adapter } = description;
    const facts = [
      config.preset,
      count(config.blobs),
      count(step),
      decibels(psnrOf(result)),
      timings.seconds.toPrecision(3),
    ];
    return [name, `${image.name}, ${image.width} × ${image.height}`, ...facts, adapter, dateOf(description)];
  });
  const table = factTable(
    ["run", "picture", "preset", "blobs", "steps", "PSNR", "seconds", "adapter", "recorded"],
    rows,
  );
  for (const [i, head] of table.querySelectorAll("tbody th").entries()) {
    head.replaceChildren(element("a", { href: `#run-${i}` }, reports[i].name));
  }
  return element(
    "header",
    {},
    element("h1", {}, document.title),
    table,
    runKey(runs.map(({ name }) => name)),
    runCurves("psnr", () => ({ runs, against: "step" })),
  );
}

fitPaper(main);
const reports: Report[] = [];
for (const run of held.runs) reports.push(await reportOf(run));
if (reports.length > 1) main.append(overview(reports));
for (const [i, report] of reports.entries()) {
  const place = { open, hasCpu: false, files: heldFiles(report) };
  main.append(element("article", { id: `run-${i}` }, element("h1", {}, report.name), runReport(report, place)));
}
