// @ts-check
// Plain JavaScript, since BullMQ starts it as a process without a TypeScript loader.
import { register } from "tsx/esm/api";

register();
export const { default: train } = await import("./trainer.js");
export default train;
