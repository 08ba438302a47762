import sharp from "sharp";
import { it } from "vitest";
import { openContext } from "../../../support/pages.js";

it("the chapters show an image file of the reader, also after a reload, until another image is trained", async () => {
  const context = await openContext({ webgpu: false });
  const page = await context.newPage();
  await page.goto("/learn/");
  await page.getByLabel("Image", { exact: true }).selectOption("an image of yours");
  const green = sharp({ create: { width: 40, height: 30, channels: 3, background: "#00ff00" } });
  const file = { name: "green.png", mimeType: "image/png", buffer: await green.png().toBuffer() };
  const train = page.getByRole("button", { name: "Train", exact: true });
  await train.click();
  await page.getByText("Choose an image file first.").waitFor();
  await page.getByLabel("Image file").setInputFiles(file);
  await page.getByText("Choose an image file first.").waitFor({ state: "detached" });
  await train.click();
  await page.getByText("The chapters show green.png, 40 × 30 pixels.").waitFor();
  await page.reload();
  await page.getByText("The chapters show green.png, 40 × 30 pixels.").waitFor();
  await train.click();
  await page.getByText("The chapters show astronaut, 64 × 64 pixels.").waitFor();
});
