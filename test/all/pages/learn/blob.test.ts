import { it } from "vitest";
import { bringIntoView, openPage, until } from "../../../support/pages.js";
import { fact, predict } from "./chapter.js";

it("the chapter on one blob draws it where it is dragged, and fits it by gradient descent", async () => {
  const { page } = await openPage("/learn/blob", { webgpu: false });
  const loss = async () => Number(await fact(page, "loss L").innerText());
  const center = async () => (await fact(page, "centre μ").innerText()).split(", ").map(Number);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const image = page.getByRole("img", { name: "The image that the blob draws" });
  await page.getByRole("button", { name: "Take a step" }).waitFor();
  const start = await until(loss, (now) => now > 0.08, "the loss");
  await predict(page, /^How does an opaque blob fade/);

  await bringIntoView(image);
  const box = (await image.boundingBox())!;
  const at = (x: number, y: number) =>
    [box.x + ((x + 0.5) / 32) * box.width, box.y + ((y + 0.5) / 32) * box.height] as const;
  await page.mouse.move(...at(12, 20));
  await page.mouse.down();
  await page.mouse.move(...at(20, 12), { steps: 4 });
  await page.mouse.up();
  await until(center, ([x, y]) => Math.hypot(x - 20, y - 12) < 0.3, "the centre");
  const [x, y] = await center();
  await page.getByRole("button", { name: /^Blob: the arrow keys move it/ }).press("ArrowRight");
  await until(center, ([nextX, nextY]) => nextX === x + 1 && nextY === y, "the centre");

  await press("Start over");
  await until(loss, (now) => now === start, "the loss at the start");
  await press("Take a step");
  await until(loss, (now) => now < start, "the loss after a step");
  await press("Take 40 steps");
  await until(loss, (now) => now < 0.012, "the loss of the fit");
  await page.getByLabel("The loss over 41 steps").waitFor();
});
