import { Command } from "commander";
import { duration } from "../engine/duration.js";
import type { RunDescription } from "../engine/runDescription.js";
import { describeSize } from "../engine/splat2d/roundTrip.js";
import { Trainer } from "../engine/trainer.js";
import { addConfigFlags } from "./configFlags.js";
import { type Engine, openEngine } from "./engine.js";
import { Failure } from "./failure.js";
import { interruptible } from "./interrupt.js";
import { type FitOptions, type Job, jobOf } from "./job.js";
import { showProgress, silence } from "./progress.js";
import { claimFolder, runFiles } from "./runFiles.js";
import { readLibrary } from "./site.js";

export function fitCommand(): Command {
  const command = new Command("fit")
    .description("let blobs learn a picture, and keep the run as a folder")
    .argument("[image]", "a PNG, JPEG or WebP file; with --resume it may be left out");
  addConfigFlags(command);
  return command
    .option("--record-every <n>", "a row of metrics.arrow every so many steps (default: a thousand rows in all)")
    .option("--record-gradients-every <n>", "gradients into gradients.arrow every so many steps (default: the last)")
    .option("--resume <run>", "go on with a run, up to --steps")
    .option("--out <run>", "the folder to keep the run in (default: runs/ and the picture's name)")
    .option("--json", "print one JSON object on stdout and nothing else")
    .option("--quiet", "no progress on stderr")
    .addHelpText(
      "after",
      `
Examples:
  splatbook fit photo.jpg --blobs 2000 --steps 500 --out runs/photo
  splatbook fit --resume runs/photo --steps 2000
  splatbook fit photo.jpg --pipeline cpu --blobs 200 --json --quiet`,
    )
    .action(fit);
}

async function fit(path: string | undefined, options: FitOptions): Promise<void> {
  const job = await jobOf(path, options);
  const interrupt = interruptible();
  const release = job.before?.inPlace ? async () => {} : await claimFolder(job.out);
  try {
    const engine = await openEngine(job.config.pipeline, readLibrary);
    try {
      if (engine.fallback !== undefined) process.stderr.write(`${engine.fallback} The CPU trains in its place.\n`);
      if (engine.isSoftware && !options.quiet) {
        process.stderr.write(`${engine.backend.description} is no GPU but a program; --pipeline cpu is faster.\n`);
      }
      const config = { ...job.config, pipeline: engine.pipeline };
      await train({ ...job, config }, engine, options, interrupt.signal);
    } finally {
      engine.close();
    }
  } finally {
    interrupt.release();
    await release();
  }
}

async function train(job: Job, engine: Engine, { json, quiet }: FitOptions, signal: AbortSignal): Promise<void> {
  const { config, image, before, out, recordEvery, recordGradientsEvery } = job;
  const trainer = new Trainer(config, image, engine.backend, before?.state);
  trainer.seconds = before?.seconds ?? 0;
  // Arrow takes half a second to load, which a mistyped flag need not wait for.
  const { Recorder } = await import("./recorder.js");
  const recorder = await Recorder.begin(job);
  let description: RunDescription;
  try {
    const progress = quiet ? silence : showProgress(trainer.step, config.steps);
    try {
      for await (const snapshot of trainer.run({ recordEvery, recordGradientsEvery, signal })) {
        if (!Number.isFinite(snapshot.loss)) {
          throw new Failure(`The loss is ${snapshot.loss} at step ${snapshot.step}, so the run was given up.`);
        }
        await recorder.take(snapshot);
        progress.update(snapshot);
      }
    } finally {
      progress.stop();
    }
    if (signal.aborted && trainer.step === (before?.state.step ?? 0)) {
      throw new Failure("Stopped before the first step, so there is nothing to keep.");
    }
    description = await recorder.keep(trainer, engine);
  } finally {
    await recorder.discard();
  }
  const stopped = description.step < config.steps;
  if (json) process.stdout.write(`${JSON.stringify({ out, ...(stopped && { stopped }), ...description }, null, 2)}\n`);
  if (stopped) {
    process.exitCode = 1;
    const at = `Stopped at step ${description.step} of ${config.steps}`;
    process.stderr.write(`${at}; go on with: splatbook fit --resume ${out}\n`);
  } else if (!json && !quiet) process.stdout.write(`${summary(out, description)}\n`);
}

function summary(out: string, { step, timings, result }: RunDescription): string {
  const { psnr, file } = result;
  const kept = file ? `; ${runFiles.splat2d}: ${describeSize(file)}, PSNR ${file.psnr.toFixed(2)} dB` : "";
  return `${out}: ${step} steps in ${duration(timings.seconds)}, PSNR ${psnr.toFixed(2)} dB${kept}`;
}
