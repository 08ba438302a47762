/**
 * Keeps the place that the page's address leads to where the browser put it, while what stands above is drawn: until the
 * reader does something.
 */
export function holdLanding(main: HTMLElement): void {
  const place = document.querySelector(":target");
  if (!place) return;
  const observer = new ResizeObserver(() => place.scrollIntoView({ behavior: "instant" }));
  observer.observe(main);
  const leave = () => observer.disconnect();
  for (const act of ["wheel", "touchstart", "pointerdown", "keydown"]) addEventListener(act, leave, { once: true });
}
