// The page's only Trusted Types policy. It decides which text becomes HTML or the URL of a worker; no text becomes
// script. It is in the head of every page, before all other scripts (src/site/sitePolicy.js).
export {};

declare global {
  interface Window {
    /** Absent if the browser does not support it. */
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: {
          createHTML(text: string): string;
          createScriptURL(text: string, type: string, sink: string): string;
        },
      ): unknown;
    };
  }
}

/** Elements that run, embed or load something, and noscript, which parsers read in two ways. */
const refusedElements = "script, iframe, frame, object, embed, base, meta, link, noscript, template";

/** Inputs hide properties of their form, such as one named `attributes`. */
const { getAttribute, getAttributeNames } = Element.prototype;

const inert = document.implementation.createHTMLDocument("");
/** HTML and SVG parse text differently. */
const parsers = [inert.createElement("div"), inert.createElementNS("http://www.w3.org/2000/svg", "g")];
let isReading = false;
/** Accepted templates, which components repeat. It has no methods that a cell could replace. */
const accepted: Record<string, true> = Object.create(null);
let acceptedCount = 0;

/** Returns why text must not become part of the page, or undefined if it may. */
function refusalReason(text: string): string | undefined {
  for (const parser of parsers) {
    parser.innerHTML = text;
    const refused = parser.querySelector(refusedElements);
    if (refused) return `<${refused.localName}>`;
    for (const element of parser.querySelectorAll("*")) {
      for (const name of getAttributeNames.call(element)) {
        const value = getAttribute.call(element, name)!;
        // htl writes ::1 as a placeholder for a property, such as a listener.
        const isHandler = name.startsWith("on") && !/^::\d+$/.test(value);
        if (isHandler || name === "srcdoc") return `the attribute ${name}`;
        // Browsers ignore control characters and spaces in it.
        if (/(^|;)javascript:/i.test(value.replace(/[\0- ]/g, ""))) return "a javascript: address";
      }
    }
  }
  return undefined;
}

window.trustedTypes?.createPolicy("default", {
  createHTML(text) {
    // The parsers above assign innerHTML themselves.
    if (isReading || text in accepted) return text;
    isReading = true;
    try {
      const refused = refusalReason(text);
      if (refused === undefined) {
        if (text.length < 2000 && acceptedCount++ < 2000) accepted[text] = true;
        return text;
      }
      throw new TypeError(`Text that becomes part of this page must not contain ${refused}.`);
    } finally {
      isReading = false;
    }
  },
  createScriptURL(text, _, sink) {
    const url = new URL(text, document.baseURI);
    if (sink !== "Worker constructor" || url.origin !== location.origin) {
      throw new TypeError(`${url.href} is not a worker of this site.`);
    }
    return text;
  },
});

// Frames that cells create have their own policies, of which none is allowed.
const policyMeta = document.createElement("meta");
policyMeta.httpEquiv = "Content-Security-Policy";
policyMeta.content = "trusted-types 'none'";
document.head.append(policyMeta);
policyMeta.remove();
