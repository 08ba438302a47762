/** The part of a picture that is shown: so many times larger, from a place on, in shares of the picture. */
export interface View {
  zoom: number;
  x: number;
  y: number;
}

export const fullView: View = { zoom: 1, x: 0, y: 0 };

/**
 * Larger or smaller by a factor, where the place at x, y of the picture stays where it is seen.
 * @param maxZoom so many times larger than the whole picture at most
 */
export function zoomAt(view: View, factor: number, x: number, y: number, maxZoom = 32): View {
  const zoom = Math.min(Math.max(view.zoom * factor, 1), maxZoom);
  const ratio = view.zoom / zoom;
  return clampView({ zoom, x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio });
}

/** Moved by shares of the picture, as far as it reaches. */
export function panBy(view: View, x: number, y: number): View {
  return clampView({ ...view, x: view.x + x, y: view.y + y });
}

/** Moved no farther than a place of the picture needs to be seen. */
export function panTo(view: View, x: number, y: number): View {
  const span = 1 / view.zoom;
  const clampToSpan = (from: number, at: number) => Math.min(Math.max(from, at - span), at);
  return clampView({ ...view, x: clampToSpan(view.x, x), y: clampToSpan(view.y, y) });
}

function clampView({ zoom, x, y }: View): View {
  const clamp = (from: number) => Math.min(Math.max(from, 0), 1 - 1 / zoom);
  return { zoom, x: clamp(x), y: clamp(y) };
}
