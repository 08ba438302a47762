// The pictures of data/images in small, as addresses by the names of their files: a page that offers them all would
// otherwise fetch and decode 2.5 MB to show them.
import { readdir } from "node:fs/promises";
import sharp from "sharp";

const folder = new URL("../data/images/", import.meta.url);
const pictures = (await readdir(folder)).filter((name) => /\.(png|jpg)$/.test(name)).sort();

async function thumbnail(name: string): Promise<string> {
  const { pathname } = new URL(name, folder);
  const small = sharp(decodeURIComponent(pathname)).resize(320, 240, { fit: "outside" }).webp();
  return `data:image/webp;base64,${(await small.toBuffer()).toString("base64")}`;
}

const addresses = await Promise.all(pictures.map(thumbnail));
process.stdout.write(JSON.stringify(Object.fromEntries(pictures.map((name, index) => [name, addresses[index]]))));
