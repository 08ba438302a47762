const names = ["binned", "tiled", "simple", "cpu"];
const colors = ["current", "overflow", "group-correlation", "group-opacity"].map((name) => `var(--${name})`);

/** The scales of pipelines in all charts, with symbols as well as colours. */
export const pipelineScales = {
  color: { domain: names, range: colors },
  symbol: { domain: names, range: ["circle", "square", "triangle", "diamond"] },
};
