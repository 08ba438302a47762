// Exports for the chapter realtime.md.

export { autoStartSeconds, canStartAutomatically } from "../components/learn/realtime/autoStart.js";
export { realtimeExercises } from "../components/learn/realtime/exercises.js";
export { listLengths } from "../components/learn/realtime/listLengths.js";
export { comparePrograms, comparisonSteps, countedPairs, pageRace } from "../components/learn/realtime/pageRace.js";
export { raceBar, raceLanes } from "../components/learn/realtime/raceBar.js";
export { defaultParticipants, jobChoicesFor } from "../components/learn/realtime/raceJob.js";
export { describeRecording, recordedRunners, withRecorded } from "../components/learn/realtime/recordedRace.js";
export { jobSentence, undoSentence } from "../components/learn/realtime/recordedSentences.js";
export { benchmarkTimes, chapterTimes } from "../components/learn/realtime/recordingsSentence.js";
export { factorRows, programLabel, racedTimes, recordedTimes } from "../components/learn/realtime/times.js";
export { thinRows } from "../components/runs/curve.js";
export { storedStateBytes } from "../engine/bench/realtime/evaluatedPairs.js";
export { maxStoredStates, programOf, programs, unsupportedReason } from "../engine/bench/realtime/programs.js";
export { threadsOf } from "./workgroups.js";
