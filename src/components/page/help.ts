import { ConfigError } from "../../engine/config.js";
import { DeviceLostError } from "../../engine/pipeline.js";
import { element } from "./element.js";

/** What src/help.md has a section on, by its heading. */
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
 * A link to what helps against what went wrong, by these words.
 * @returns nothing where the site has no such page, such as that of another project
 */
export function helpLink(topic: HelpTopic, label = "What helps"): HTMLAnchorElement | "" {
  const page = document.querySelector<HTMLAnchorElement>('a[rel="help"]');
  if (!page) return "";
  return element("a", { class: "what-helps", href: `${page.href}#${helpAnchor(topic)}` }, label);
}

/** Says what went wrong, and behind it what helps; leaves alone what says so already. */
export function showError(node: HTMLElement, sentence: string, topic: HelpTopic): void {
  const link = helpLink(topic);
  if (node.firstChild?.nodeValue === sentence && (link === "" || node.querySelector(".what-helps"))) return;
  node.replaceChildren(...(sentence === "" ? [] : [sentence, " ", link]));
}

/** The same as words of a figure. */
export function errorText(sentence: string, topic: HelpTopic): HTMLElement {
  const node = element("span");
  showError(node, sentence, topic);
  return node;
}

/** The same of a run or a kernel that failed: what did not come of it, why, and what is shown in its place. */
export function failureText(outcome: string, error: Error, replacement = ""): HTMLElement {
  const [reason] = error.message.split("\n");
  return errorText(`${outcome}: ${reason.replace(/\.?$/, ".")}${replacement && ` ${replacement}`}`, helpTopicOf(error));
}

/** Why a file or a run cannot be read, in a sentence. */
export class FileError extends Error {
  override name = "FileError";
}

/** What a run or a kernel failed of. */
export function helpTopicOf(error: Error): HelpTopic {
  if (error instanceof FileError) return "A file or a run cannot be read";
  if (error instanceof ConfigError) return "A setting is refused";
  return error instanceof DeviceLostError ? "The GPU was lost" : "A kernel does not run";
}
