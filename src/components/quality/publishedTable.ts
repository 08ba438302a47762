import { element } from "../element.js";
import { count } from "../format.js";
import { type Anchors, reported } from "./anchors.js";

/** What others report, a row a point of the chart. */
export function publishedTable({ published, set }: Anchors): HTMLElement {
  const heads = ["", "method", "number", `PSNR over ${set}, dB`, "time", "machine", ""];
  const rows = published.map((one, i) =>
    element(
      "tr",
      {},
      ...[
        String(i + 1),
        one.who,
        count(one.blobs),
        reported(one),
        one.seconds === undefined ? "not known" : `${one.seconds} s`,
        one.machine ?? "not known",
        one.note ?? "",
      ].map((text) => element("td", {}, text)),
    ),
  );
  return element(
    "details",
    { class: "published" },
    element("summary", {}, "What others report, and where"),
    element(
      "div",
      { class: "wide" },
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
        element("tbody", {}, ...rows),
      ),
    ),
  );
}
