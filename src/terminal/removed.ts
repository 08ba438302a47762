const tables = "export writes .splat2d; read the Arrow files of the run for tables.";
const images = "export writes .splat2d; render draws a .png of any --size.";

/** What to use instead of commands, options and formats that were removed. */
const alternatives: Record<string, string> = {
  "bench --out":
    "--out was removed. bench --json prints the result, as in splatbook bench --scaling --json > scaling.json.",
  completion:
    "The command completion was removed. splatbook help lists the commands, and splatbook help fit the options of fit.",
  "export .csv": tables,
  "export .json": tables,
  "export .parquet": tables,
  "export .png": images,
  "export .svg": images,
  "export --format": images,
  "export --size": images,
  "fit --alert-command": "--alert-command was removed. --json-lines prints each alert as a line of JSON.",
  "fit --bits-per-pixel": "--bits-per-pixel was removed. --blobs and export --precision set the size of a .splat2d.",
  "fit several arguments":
    "fit trains one image. In a shell, for image in photos/*.jpg; do splatbook fit $image; done.",
  "fit --open": "--open was removed. splatbook view runs --open shows all runs while they train.",
  "fit --resume-schedule":
    "--resume-schedule was removed. With --resume and --steps, the schedule is scaled to the end.",
  "sweep --halving": "--halving was removed. --steps limits the length of all runs.",
  "sweep --random": "--random was removed. --vary learning-rate=0.001..0.1x5 trains five values of a range.",
  "sweep .json":
    "sweep takes an image. Give the settings with --config, as in splatbook sweep photo.jpg --config sweep.json.",
  "sweep --status": "--status was removed. The sweep prints its progress, and dashboards of BullMQ show its queue.",
  "worker --manifest":
    "--manifest was removed. The page Sweeps and many machines has job files for Slurm and Kubernetes.",
  "verify --retrain": "--retrain was removed. Train again with fit RUN/target.png --config RUN/run.json.",
};

/**
 * Returns what to use instead of something that was removed, if it was.
 * @param words the command, followed by the option or the suffix as typed
 */
export function alternativeTo(...words: string[]): string | undefined {
  const name = words.join(" ").replace(/=.*/s, "");
  return Object.hasOwn(alternatives, name) ? alternatives[name] : undefined;
}
