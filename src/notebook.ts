// What cells of this site import besides src/splatbook.ts: it needs what Framework's own pages or this site's files hold,
// so other projects cannot.
export { liveCells } from "./components/cells/liveCells.js";
export { picturePicker } from "./components/pictures/picturePicker.js";
export { smallRun } from "./components/training/smallRun.js";
