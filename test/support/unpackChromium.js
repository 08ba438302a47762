// @ts-check
// Unpacks the headless Chromium of @sparticuz/chromium into the folder given by TMPDIR. It runs as a process of its own
// because the package takes that folder, and what it unpacks, from the environment.
import chromium from "@sparticuz/chromium";

// Files that root unpacks are given the owner that the archive names, whom a container's user namespace may not know.
process.getuid = undefined;

await chromium.executablePath();
