// Exports for the chapter workgroups.md.

export { exchangeOrders, runWithoutBarrier, staleReadCurve } from "../components/learn/workgroups/exchange.js";
export { arrivalCodeLines, describeArrival, exchangeDrawing } from "../components/learn/workgroups/exchangeDrawing.js";
export { workgroupsExercises } from "../components/learn/workgroups/exercises.js";
export { threadPicker } from "../components/learn/workgroups/threadPicker.js";
export { threadPlace } from "../components/learn/workgroups/threadPlaces.js";
export { workgroupMemory } from "../components/learn/workgroups/workgroupMemory.js";
