// The project of "Download the page", which adds the page.
import { projectArchive } from "./site/projectArchive.js";

process.stdout.write(projectArchive());
