// The film of a recorded run of the chapters' small job, as one image with the frames below each other. Figures show it
// until the reader's own run begins.

import { readdirSync } from "node:fs";
import sharp from "sharp";

const folder = "data/runs/astronaut-seed/film";
const film = readdirSync(folder).sort();
const size = 192;
const frames = await Promise.all(
  film.map((name) => sharp(`${folder}/${name}`).resize(size, size).removeAlpha().raw().toBuffer()),
);
const strip = sharp(Buffer.concat(frames), { raw: { width: size, height: size * frames.length, channels: 3 } });
process.stdout.write(await strip.webp({ quality: 78 }).toBuffer());
