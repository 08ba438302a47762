// Reads Arrow tables in a thread of Node.
import { type ReadTable, readTableInThread } from "../../engine/files/tables.js";
import { serveRequests } from "./port.js";

serveRequests((table: Parameters<ReadTable>) => readTableInThread(...table));
