// Every file under shaders/ by its path there, in one file of the site, since a request for each would take longer.
import { readLibrary } from "./cli/site.js";

process.stdout.write(JSON.stringify([...(await readLibrary())]));
