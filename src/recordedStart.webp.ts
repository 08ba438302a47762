// The target and the film of a recorded run, as one image with the frames below each other. The lab shows it until its
// own run begins.
import { readdirSync } from "node:fs";
import sharp from "sharp";

const side = 192;
const folder = "data/runs/astronaut-5000-quality";
const film = readdirSync(`${folder}/film`).sort().slice(0, 6);
const frames = await Promise.all(
  ["target.png", ...film.map((name) => `film/${name}`)].map((name) =>
    sharp(`${folder}/${name}`).resize(side, side, { fit: "cover" }).removeAlpha().raw().toBuffer(),
  ),
);
const strip = sharp(Buffer.concat(frames), { raw: { width: side, height: side * frames.length, channels: 3 } });
process.stdout.write(await strip.webp({ quality: 78 }).toBuffer());
