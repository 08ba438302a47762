import assert from "node:assert/strict";
import { it } from "vitest";
import { debianPackageOf, missingLibrariesSentence, parseMissing } from "../../support/sharedLibraries.js";

it("parseMissing() returns each missing library in ldd's output once", () => {
  const ldd = `
	linux-vdso.so.1 (0x00007ffc)
	libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f)
	libnss3.so => not found
	libexpat.so.1 => not found
	libnss3.so => not found`;
  assert.deepEqual(parseMissing(ldd), ["libnss3.so", "libexpat.so.1"]);
});

it("debianPackageOf() knows the packages for the packaged browser", () => {
  assert.equal(debianPackageOf("libnss3.so"), "libnss3");
  assert.equal(debianPackageOf("libplds4.so"), "libnspr4");
  assert.equal(debianPackageOf("libunheard.so.1"), undefined);
});

it("missingLibrariesSentence() names each Debian package once", () => {
  assert.equal(
    missingLibrariesSentence("The headless browser", ["libnss3.so", "libnssutil3.so", "libexpat.so.1"]),
    "The headless browser needs the shared libraries libnss3.so, libnssutil3.so, libexpat.so.1, missing here; " +
      "on Debian, run apt-get install libexpat1 libnss3.",
  );
});

it("missingLibrariesSentence() says how to find the package of a library that it does not know", () => {
  assert.equal(
    missingLibrariesSentence("The headless browser", ["libunheard.so.1"]),
    "The headless browser needs the shared library libunheard.so.1, missing here; " +
      "apt-file search libunheard.so.1 finds the Debian package.",
  );
});
