import { answerRequests } from "../host/workerClient.js";
import { trainerFor } from "./trainer.js";

const { SPLATBOOK_RUNS = "", SPLATBOOK_THREADS } = process.env;
const train = trainerFor(SPLATBOOK_RUNS, Number(SPLATBOOK_THREADS));
process.on(
  "message",
  answerRequests((message) => process.send?.(message), train),
);
