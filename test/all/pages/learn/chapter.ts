import type { Locator, Page } from "playwright-core";
import { openPage, scrollTo, waitForRun } from "../../../support/pages.js";

/** Opens a chapter without a GPU and waits for the end of its run, so figures do not change. */
export async function openDone(name: string, steps = 40): Promise<Page> {
  const { page } = await openPage(`/learn/${name}?engine=cpu&steps=${steps}`, { webgpu: false });
  await waitForRun(page, "Done");
  return page;
}

/** Draws a prediction into a figure, compares it, and returns the verdict. */
export async function predict(page: Page, title: RegExp): Promise<string> {
  const guess = page.getByRole("figure", { name: title });
  const slider = guess.getByRole("slider").last();
  await scrollTo(guess, slider);
  for (const key of ["ArrowUp", "ArrowDown", "ArrowDown"]) await slider.press(key);
  await guess.getByRole("button", { name: "Compare" }).click();
  const verdict = guess.getByRole("status").filter({ hasText: /^Your curve is off by/ });
  await verdict.waitFor();
  return verdict.innerText();
}

/** Returns the value of a fact in a list of facts. */
export function fact(within: Page | Locator, name: string): Locator {
  return within.locator("dl > div").filter({ hasText: name }).locator("dd").first();
}

/** Returns the decimal numbers of a text. */
export function numbersOf(text: string): number[] {
  return (text.match(/−?\d+\.\d+/g) ?? []).map((number) => Number(number.replace("−", "-")));
}

/** Types a text into a field and confirms it. */
export async function type(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByLabel(label, { exact: true }).press("Enter");
}
