import { type ProgramName, programOf } from "../../../engine/realtime/programs.js";
import { element } from "../../element.js";
import { standsFor } from "../marks.js";
import { secondsText, timesText } from "./wholeTime.js";

/**
 * The programs by their two factors, tiles or none and states kept or undone, with what each factor gives; and binned.
 * @param seconds of 10,000 iterations, of the programs that were measured
 */
export function factorsTable(seconds: Partial<Record<ProgramName, number>>): HTMLElement {
  const time = (name: ProgramName) => (seconds[name] === undefined ? "–" : secondsText(seconds[name]));
  const gain = (before: ProgramName, after: ProgramName, words = "") => {
    const [slow, fast] = [seconds[before], seconds[after]];
    return slow === undefined || fast === undefined ? "–" : `${timesText(slow / fast)}${words}`;
  };
  const head = (text: string, scope: "col" | "row") => element("th", { scope }, text);
  const cell = (text: string, name?: ProgramName) => {
    const node = element("td", { class: name ? "factor-time" : "factor-gain", "data-program": name }, text);
    return name ? standsFor(node, `program:${name}`) : node;
  };
  const row = (...cells: HTMLElement[]) => element("tr", {}, ...cells);
  const body = element(
    "tbody",
    {},
    row(
      head("every blob", "row"),
      cell(time("every-kept"), "every-kept"),
      cell(time("every-undo"), "every-undo"),
      cell(gain("every-kept", "every-undo")),
    ),
    row(
      head("tiles", "row"),
      cell(time("tiles-kept"), "tiles-kept"),
      cell(time("tiles-undo"), "tiles-undo"),
      cell(gain("tiles-kept", "tiles-undo")),
    ),
    row(
      head("tiles give", "row"),
      cell(gain("every-kept", "tiles-kept")),
      cell(gain("every-undo", "tiles-undo")),
      cell(gain("every-kept", "tiles-undo", " both")),
    ),
    row(
      head(programOf("binned").title, "row"),
      cell(""),
      cell(time("binned"), "binned"),
      cell(gain("tiles-undo", "binned", " over tiles, undone")),
    ),
  );
  const heads = ["", "states kept", "undone", "the undo gives"].map((text) => head(text, "col"));
  const table = element("table", { class: "factors" }, element("thead", {}, row(...heads)), body);
  return element("div", { class: "wide-table" }, table);
}
