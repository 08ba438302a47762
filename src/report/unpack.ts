// The first script of a one-file report. It inflates the others, which take 40 % of their size in this form.
export {};

const { trustedTypes } = window as {
  trustedTypes?: { createPolicy(name: string, rules: object): { createScript(text: string): string } };
};
// The page's policy allows only the scripts with its hashes, whatever becomes one here.
const policy = trustedTypes?.createPolicy("unpack", { createScript: (text: string) => text });

for (const packed of document.querySelectorAll<HTMLScriptElement>("script[data-type]")) {
  const bytes = Uint8Array.from(atob(packed.text), (character) => character.charCodeAt(0));
  const text = await new Response(
    new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")),
  ).text();
  const script = document.createElement("script");
  script.id = packed.id;
  script.type = packed.dataset.type!;
  script.text = policy ? policy.createScript(text) : text;
  packed.replaceWith(script);
}
