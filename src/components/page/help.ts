import { html } from "htl";
import { ConfigError } from "../../engine/config.js";
import { DeviceLostError } from "../../engine/pipeline.js";

/** The headings of src/help.md. */
export const helpTopics = [
  "There is no GPU",
  "The GPU was lost",
  "A kernel does not run",
  "A setting is refused",
  "An image cannot be read",
  "A file or a run cannot be read",
  "A cell fails",
  "An edited kernel does not compile or end",
  "Runs or edits cannot be saved",
] as const;

export type HelpTopic = (typeof helpTopics)[number];

/** Returns the id of a topic's heading. Framework would give the same, but its slugs load a large table. */
export function helpAnchor(topic: HelpTopic): string {
  return topic.toLowerCase().replaceAll(" ", "-");
}

/**
 * Returns a link to the help on a topic, or "" if the site has no help page, as in other projects.
 */
export function helpLink(topic: HelpTopic, label = "Troubleshooting"): HTMLAnchorElement | "" {
  const page = document.querySelector<HTMLAnchorElement>('a[rel="help"]');
  if (!page) return "";
  return html<HTMLAnchorElement>`<a class="help-link" href=${`${page.href}#${helpAnchor(topic)}`}>${label}</a>`;
}

/** Shows an error with a link to its help. Changes nothing if the element shows it already. */
export function showError(node: HTMLElement, sentence: string, topic: HelpTopic): void {
  const link = helpLink(topic);
  if (node.firstChild?.nodeValue === sentence && (link === "" || node.querySelector(".help-link"))) return;
  node.replaceChildren(...(sentence === "" ? [] : [sentence, " ", link]));
}

/** Thrown if a file or a run cannot be read. */
export class FileError extends Error {
  override name = "FileError";
}

/** Returns the help topic of an error of a run or a kernel. */
export function helpTopicOf(error: Error): HelpTopic {
  if (error instanceof FileError) return "A file or a run cannot be read";
  if (error instanceof ConfigError) return "A setting is refused";
  return error instanceof DeviceLostError ? "The GPU was lost" : "A kernel does not run";
}
