import { html } from "htl";
import { count, counted } from "../components/page/format.js";
import { decodedColumns, rawColumns, type TableColumns } from "../components/tables/blobColumns.js";
import { rowTable, type TableView } from "../components/tables/rowTable.js";
import { modelOf } from "../engine/model/blob.js";
import type { Report } from "./report.js";

/** The tables; `find` turns both to a blob's page. */
export type ReportTables = HTMLElement & { find(blob: number): void };

/** Returns tables of the report's parameters and gradients. */
export function reportTables(report: Report): ReportTables {
  const { config } = report.description;
  const { blobs } = report;
  const tables = variantsOf(report).map(([title, variants]) => rowTable(title, "blob", variants));
  const hasAllBlobs = blobs.length === config.blobs;
  const sampleNote = `This report contains an even sample of ${count(blobs.length)} of the ${counted(config.blobs, "blob")}.`;
  return Object.assign(html`<div>${hasAllBlobs ? null : html`<p>${sampleNote}</p>`}${tables}</div>`, {
    find: (blob: number) => {
      for (const table of tables) table.find(blob);
    },
  });
}

/** Returns the tables' titles and views. */
function variantsOf({ description, blobs, parameters, gradients }: Report): [title: string, TableView[]][] {
  const { config, image, step } = description;
  const hasAllBlobs = blobs.length === config.blobs;
  const variant = (name: string, columns: TableColumns, note: string) => {
    return { name, columns: hasAllBlobs ? columns : { ...columns, blob: (row: number) => blobs[row] }, note };
  };
  const { parameterization } = config;
  const stepNote = `after ${counted(step, "step")}`;
  const gradientsAt = `at the parameters after ${counted(gradients.step - 1, "step")}, for step ${count(gradients.step)}`;
  return [
    [
      "Parameters",
      [
        variant("decoded", decodedColumns(parameters, modelOf(config, image)), stepNote),
        variant("raw", rawColumns(parameters, parameterization, "parameters"), stepNote),
      ],
    ],
    ["Gradients", [variant("raw", rawColumns(gradients.values, parameterization, "gradients"), gradientsAt)]],
  ];
}
