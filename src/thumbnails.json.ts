// Thumbnails of data/images, as data URLs by file name. The images themselves have 2.5 MB.
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { thumbnail } from "./host/node/imageFile.js";

const folder = new URL("../data/images/", import.meta.url);
const names = (await readdir(folder)).filter((name) => /\.(png|jpg)$/.test(name)).sort();

const addresses = await Promise.all(names.map((name) => thumbnail(fileURLToPath(new URL(name, folder)), 320, 240)));
process.stdout.write(JSON.stringify(Object.fromEntries(names.map((name, index) => [name, addresses[index]]))));
