/** Returns the browser, system and cores, from the user agent: "Chromium 147 on Linux, 8 cores". */
export function describeBrowser(): string {
  const { userAgent, hardwareConcurrency } = navigator;
  const known: [RegExp, string][] = [
    [/Edg\/(\d+)/, "Edge"],
    [/Firefox\/(\d+)/, "Firefox"],
    [/Chrome\/(\d+)/, "Chromium"],
    [/Version\/(\d+).*Safari/, "Safari"],
  ];
  const found = known.find(([pattern]) => pattern.test(userAgent));
  const browser = found ? `${found[1]} ${found[0].exec(userAgent)![1]}` : "A browser";
  const system = /Android|Windows|Mac OS X|iPhone|iPad|CrOS|Linux/.exec(userAgent)?.[0].replace(" OS X", "OS");
  return `${browser}${system ? ` on ${system}` : ""}, ${hardwareConcurrency} cores`;
}
