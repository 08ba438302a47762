// What the chapter workgroups.md imports: the package's entry point splatbook/learn/workgroups.

export { exchangeOn, exchangeRace } from "../components/learn/workgroups/exchange.js";
export { arrivalWords, exchangeDrawing, linesOfArrival } from "../components/learn/workgroups/exchangeDrawing.js";
export { threadPicker } from "../components/learn/workgroups/threadPicker.js";
export { threadPlace } from "../components/learn/workgroups/threadPlaces.js";
export { workgroupMemory } from "../components/learn/workgroups/workgroupMemory.js";
