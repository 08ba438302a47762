const names = ["binned", "tiled", "simple", "cpu"];
const colors = ["current", "overflow", "group-correlation", "group-opacity"].map((name) => `var(--${name})`);

/** How pipelines look in every chart, as its scales: told apart by their symbols too, not by colour alone. */
export const pipelineScales = {
  color: { domain: names, range: colors },
  symbol: { domain: names, range: ["circle", "square", "triangle", "diamond"] },
};
