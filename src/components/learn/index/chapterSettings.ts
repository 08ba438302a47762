import { html } from "htl";
import { ConfigError } from "../../../engine/config.js";
import { type FieldName, fieldNames, fieldOf } from "../../../engine/fields.js";
import { toSingleLine } from "../../../engine/quoted.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { gallery } from "../../images/gallery.js";
import { storeChoice, storedChoice } from "../../page/chapterQuery.js";
import { acceptFields, checkValues } from "../../training/acceptFields.js";
import { readLink } from "../../training/link.js";
import { smallJob } from "../../training/smallRun.js";
import { type ExerciseLanguage, exerciseLanguages, languageName } from "../exercises/exercise.js";

/** Parameters of a link that belong to its page alone; older links have `slides`. */
const pageKeys = ["engine", "resume", "slides"];

/**
 * Returns the parameters of a link that the chapters can use, and an error for each of the others.
 * @param search the query of the link
 */
function acceptChapterLink(engine: BrowserEngine, search: string): { query: string; errors: string[] } {
  const { config } = smallJob(engine.kind);
  const { config: linkConfig, picture } = readLink(search);
  const known = Object.entries(linkConfig).filter(([name]) => fieldNames.includes(name as FieldName));
  const values = { ...config, ...Object.fromEntries(known) };
  const { errors } = acceptFields(values, config, (values) => checkValues(engine, values));
  const query = new URLSearchParams(search);
  const language = query.get("language");
  const pictures = gallery.map(({ name }) => name);
  const refuse = (name: string, value: string, allowed: string) =>
    errors.set(name, new ConfigError(name, value, allowed).message);
  if (picture !== undefined && !pictures.includes(picture)) {
    refuse("picture", picture, `one of ${pictures.join(", ")}`);
  }
  if (language !== null && !exerciseLanguages.includes(language as ExerciseLanguage)) {
    refuse("language", language, `one of ${exerciseLanguages.join(", ")}`);
  }
  for (const name of Object.keys(linkConfig)) {
    if (!fieldNames.includes(name as FieldName)) errors.set(name, `${toSingleLine(name)} is not a setting.`);
  }
  const accepted = [...query].filter(([name]) => {
    const field = readLink(`?${new URLSearchParams([[name, "1"]])}`).config;
    const names = [name, ...Object.keys(field)];
    return !pageKeys.includes(name) && names.every((each) => !errors.has(each));
  });
  return { query: String(new URLSearchParams(accepted)), errors: [...errors.values()] };
}

/**
 * Stores the settings of the link in the page's address for all chapters, once, and returns a line with the settings that
 * the chapters use and a button that removes them. Errors in the link are shown, and change nothing.
 */
export function chapterSettings(engine: BrowserEngine): HTMLElement {
  const node = html`<div class="chapter-settings" role="status"></div>`;
  const { search } = location;
  const { query: linkQuery, errors } = acceptChapterLink(engine, search);
  const isNew = linkQuery !== "" && storedChoice().opened !== search;
  const show = (errors: readonly string[], query = storedChoice().query) => {
    const settings = describeSettings(query);
    node.replaceChildren(
      ...errors.map((error) => html`<p class="wrong">This part of the link is ignored: ${error}</p>`),
      ...(settings.length > 0
        ? [
            html`<p>All chapters use these settings of a link: ${settings.join(", ")}. <button type="button" onclick=${remove}>Use the defaults</button></p>`,
          ]
        : []),
    );
  };
  const remove = () => {
    const { query, ...choice } = storedChoice();
    const kept = [...new URLSearchParams(query)].filter(([name]) => ["picture", "size"].includes(name));
    save({ ...choice, query: String(new URLSearchParams(kept)) });
  };
  const save = (choice: { query: string; opened?: string }, known: readonly string[] = []) => {
    try {
      storeChoice(choice);
      show(known);
    } catch (error) {
      show([...known, (error as Error).message]);
    }
  };
  if (isNew) save({ query: linkQuery, opened: search }, errors);
  else show(errors);
  return node;
}

/** Returns the settings of a query as words, without the image, which the picker shows. */
function describeSettings(query: string): string[] {
  const parameters = new URLSearchParams(query);
  const { config } = readLink(query);
  const fields = Object.entries(config).filter(([name]) => fieldNames.includes(name as FieldName));
  const language = parameters.get("language");
  const exercises = parameters.get("exercises");
  return [
    ...fields.map(([name, value]) => `${fieldOf(name as FieldName).label.toLowerCase()} ${value}`),
    ...(language ? [`code in ${languageName(language as ExerciseLanguage)}`] : []),
    ...(exercises ? [`exercises ${exercises}`] : []),
  ];
}
