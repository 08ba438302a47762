// Reads Arrow tables in a thread of Node.
import { readTableInThread } from "../../engine/files/tables.js";
import { serveRequests } from "./port.js";
import type { TableQuestion } from "./tables.js";

serveRequests(({ kind, bytes }: TableQuestion) => readTableInThread(kind, bytes));
