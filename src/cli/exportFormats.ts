/** The files that `export` writes. */
export const exportFormats = ["splat2d", "svg", "png"] as const;
export type ExportFormat = (typeof exportFormats)[number];
