// Observable Inputs for the cells of this site, with a range and a table of our own. The bundler needs the names of all
// exports (src/site/bundleSite.js).

export {
  bind,
  button,
  checkbox,
  color,
  date,
  datetime,
  email,
  file,
  form,
  formatAuto,
  formatDate,
  formatLocaleAuto,
  formatLocaleNumber,
  formatNumber,
  formatTrim,
  input,
  number,
  password,
  radio,
  search,
  searchFilter,
  select,
  tel,
  text,
  textarea,
  toggle,
  url,
} from "observablehq:stdlib/inputs";
export { table } from "../tables/table.js";
export { range } from "./range.js";
