// The pictures of data/images in small, as addresses by the names of their files: a page that offers them all would
// otherwise fetch and decode 2.5 MB to show them.
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { thumbnail } from "./host/node/imageFile.js";

const folder = new URL("../data/images/", import.meta.url);
const pictures = (await readdir(folder)).filter((name) => /\.(png|jpg)$/.test(name)).sort();

const addresses = await Promise.all(pictures.map((name) => thumbnail(fileURLToPath(new URL(name, folder)), 320, 240)));
process.stdout.write(JSON.stringify(Object.fromEntries(pictures.map((name, index) => [name, addresses[index]]))));
