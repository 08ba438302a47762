import { html } from "htl";
import type { FieldName } from "../../../engine/fields.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { gallery } from "../../images/gallery.js";
import * as Inputs from "../../inputs/inputs.js";
import { setText } from "../../page/element.js";
import { writeLink } from "../../training/link.js";
import { Settings } from "../../training/settings.js";
import { smallJob } from "../../training/smallRun.js";
import { allExercises } from "../exercises/allExercises.js";
import { type ExerciseLanguage, exerciseLanguages, languageName } from "../exercises/exercise.js";

const knobNames: FieldName[] = ["learningRate", "blobs", "tile", "gaussiansPerBlock"];

/**
 * Returns a form of an image, settings, a language of code and exercises, with the link to this page that selects them for
 * all chapters.
 */
export function teacherForm(engine: BrowserEngine): HTMLElement {
  const { config: start } = smallJob(engine.kind);
  const settings = new Settings(engine, start);
  const image = Inputs.select(["", ...gallery.map(({ name }) => name)], {
    label: "Image",
    format: (name: string) => name || "the reader’s choice",
  });
  const language = Inputs.radio(["", ...exerciseLanguages], {
    label: "Code",
    value: "",
    format: (name: string) => (name ? languageName(name as ExerciseLanguage) : "both languages"),
  });
  const exercises = Inputs.select(
    allExercises.map(({ id }) => id),
    { label: "Exercises (all if none is chosen)", multiple: 5 },
  );
  const link = html<HTMLInputElement>`<input type="url" readonly aria-label="Link for readers">`;
  const status = html`<span class="figure-note" role="status"></span>`;
  const copy = async () => {
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
      setText(status, "Copied.");
    } catch {
      setText(status, "Copy the selected link.");
    }
  };
  const open = html<HTMLAnchorElement>`<a>Open the link</a>`;
  const update = () => {
    const query = new URLSearchParams(writeLink(settings.config, start, { picture: image.value || undefined }));
    if (language.value) query.set("language", language.value);
    if (exercises.value.length > 0) query.set("exercises", exercises.value.join(","));
    link.value = open.href = `${location.origin}${location.pathname}${query.size > 0 ? `?${query}` : ""}`;
    setText(status, "");
  };
  const knobs = knobNames.map((name) => settings.knob(name));
  const node = html`<div class="teacher-form" oninput=${update}>
    <div class="knobs">${[image, ...knobs, language, exercises].map((input) => html`<div class="knob">${input}</div>`)}</div>
    <div class="link-row">${link}<button type="button" onclick=${copy}>Copy link</button>${open}</div>${status}
  </div>`;
  update();
  return node;
}
