// Renews the pages of `splatbook view` when a run has a later checkpoint.
export {};

const find = (id: string) => document.getElementById(id);

/** Requests the page as it is now. */
function request(method: "HEAD" | "GET"): Promise<XMLHttpRequest> {
  const request = new XMLHttpRequest();
  request.responseType = "document";
  request.open(method, location.href);
  request.send();
  return new Promise((resolve) => {
    request.onloadend = () => resolve(request);
  });
}

async function renew(): Promise<void> {
  const { responseXML: next } = await request("GET");
  if (!next) return;
  const link = document.activeElement?.getAttribute("href");
  for (const id of ["view-head", "observablehq-main"]) find(id)!.replaceWith(next.getElementById(id)!);
  if (link) document.querySelector<HTMLElement>(`a[href="${CSS.escape(link)}"]`)?.focus({ preventScroll: true });
}

for (;;) {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  if (document.hidden) continue;
  const response = await request("HEAD");
  const isLost = response.status !== 200;
  find("view-lost")!.hidden = !isLost;
  if (!isLost && response.getResponseHeader("ETag") !== find("view-head")!.dataset.stamp) await renew();
}
