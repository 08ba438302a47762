// What the chapter realtime.md imports: the package's entry point splatbook/learn/realtime.

export { beginsByItself, firstSeconds } from "../components/learn/realtime/firstRun.js";
export { comparedAfter, comparePrograms, countedPairs, pageRace } from "../components/learn/realtime/pageRace.js";
export { raceBar, raceLanes } from "../components/learn/realtime/raceBar.js";
export { firstField, offerOf } from "../components/learn/realtime/raceJob.js";
export { orRecorded, recordedRunners, recordedWords } from "../components/learn/realtime/recordedRace.js";
export { jobSentence, undoSentence } from "../components/learn/realtime/recordedWords.js";
export { factors, ofProgram, racedTimes, recordedTimes } from "../components/learn/realtime/times.js";
export { threadsOf } from "../components/learn/workgroups/threadPlaces.js";
export { thinned } from "../components/runs/curve.js";
export { keptBytes } from "../engine/bench/realtime/evaluatedPairs.js";
export { programOf, programs, refusal } from "../engine/bench/realtime/programs.js";
