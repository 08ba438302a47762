// @ts-check
// Unpacks the headless Chromium of @sparticuz/chromium into the folder TMPDIR. It runs in a separate process, since the
// package reads its options from the environment.
import chromium from "@sparticuz/chromium";

// As root, files would get the archive's owner, which a container's user namespace may not contain.
process.getuid = undefined;

await chromium.executablePath();
