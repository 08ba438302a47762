import { type AttachedFile, FileAttachment } from "observablehq:stdlib";

/** Blobs that learned a picture of the gallery, as they were kept. */
export interface KeptBlobs {
  /** The picture's name in the gallery. */
  picture: string;
  blobs: number;
  file: AttachedFile;
}

/** data/quality, by `splatbook bench --quality --rows quality --keep`. Framework wants each name as a literal. */
export const keptBlobs: KeptBlobs[] = [
  { picture: "astronaut", blobs: 1000, file: FileAttachment("../../data/quality/astronaut-quality-1000.splat2d") },
  { picture: "astronaut", blobs: 5000, file: FileAttachment("../../data/quality/astronaut-quality-5000.splat2d") },
  { picture: "astronaut", blobs: 20000, file: FileAttachment("../../data/quality/astronaut-quality-20000.splat2d") },
  { picture: "chelsea", blobs: 1000, file: FileAttachment("../../data/quality/chelsea-quality-1000.splat2d") },
  { picture: "chelsea", blobs: 5000, file: FileAttachment("../../data/quality/chelsea-quality-5000.splat2d") },
  { picture: "chelsea", blobs: 20000, file: FileAttachment("../../data/quality/chelsea-quality-20000.splat2d") },
  { picture: "coffee", blobs: 1000, file: FileAttachment("../../data/quality/coffee-quality-1000.splat2d") },
  { picture: "coffee", blobs: 5000, file: FileAttachment("../../data/quality/coffee-quality-5000.splat2d") },
  { picture: "coffee", blobs: 20000, file: FileAttachment("../../data/quality/coffee-quality-20000.splat2d") },
];
