// Renews the pages of `splatbook view`: the table of runs at once, and a report unless its reader has used it.
export {};

const find = (id: string) => document.getElementById(id);
let isUsed = false;
for (const type of ["input", "click"]) {
  addEventListener(type, () => {
    isUsed = true;
  });
}

/** Returns the page as it is now; null if the server does not answer. */
function load(): Promise<Document | null> {
  const request = new XMLHttpRequest();
  request.responseType = "document";
  request.open("GET", location.href);
  request.send();
  return new Promise((resolve) => {
    request.onloadend = () => resolve(request.responseXML);
  });
}

async function renew(): Promise<void> {
  if (!find("runs") && isUsed) find("view-later")!.hidden = false;
  else if (!find("runs")) location.reload();
  else {
    const next = await load();
    if (!next?.getElementById("runs")) return location.reload();
    const link = document.activeElement?.getAttribute("href");
    for (const id of ["view-head", "run-count", "runs"]) find(id)!.replaceWith(next.getElementById(id)!);
    if (link) document.querySelector<HTMLElement>(`a[href="${CSS.escape(link)}"]`)?.focus({ preventScroll: true });
  }
}

for (;;) {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  if (document.hidden) continue;
  const { run, stamp } = find("view-head")!.dataset;
  const response = await fetch(`stamp?${new URLSearchParams(run === undefined ? {} : { run })}`).catch(() => undefined);
  find("view-lost")!.hidden = response?.ok === true;
  if (response?.ok && (await response.text()) !== stamp) await renew();
}
