// How a recorded run of the chapters' own small job went, one frame below the other: what stands where their figures will
// show the reader's run.
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
