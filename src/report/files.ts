import { html } from "htl";
import { bytesText } from "../components/page/format.js";

/** A file of a run, and where to download it. */
export interface FileLink {
  name: string;
  bytes: number;
  href: string;
}

/** Returns download links for a run's files. */
export function fileLinks(files: readonly FileLink[]): HTMLElement {
  const links = files.map(
    ({ name, bytes, href }) =>
      html`<a href=${href} download=${name.replace("/", "-")}><span>${name}</span><small>${bytesText(bytes)}</small></a>`,
  );
  return html`<div class="facts">${links}</div>`;
}
