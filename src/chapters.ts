// Exports for the cells of the chapters, besides the library, figures.ts and notebook.ts.

export { drawSnapshot } from "./components/learn/drawSnapshot.js";
export { exerciseFigure } from "./components/learn/exercises/exerciseFigure.js";
export { progressTable } from "./components/learn/exercises/progressTable.js";
export { readSnapshot, storeSnapshot, trainSnapshot } from "./components/learn/snapshot.js";
