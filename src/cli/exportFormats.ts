/** The files of tables that `export` writes. */
export type TableFormat = "parquet" | "csv" | "json";

/** The files that `export` writes. */
export const exportFormats = ["splat2d", "svg", "png", "parquet", "csv", "json"] as const;
export type ExportFormat = (typeof exportFormats)[number];
