/** The visible part of an image: its zoom, and its upper left corner in fractions of the image's sides. */
export interface View {
  zoom: number;
  x: number;
  y: number;
}

export const fullView: View = { zoom: 1, x: 0, y: 0 };

const maxZoom = 32;

/** Returns a view that is zoomed by a factor around a position of the image. */
export function zoomAt(view: View, factor: number, x: number, y: number): View {
  const zoom = Math.min(Math.max(view.zoom * factor, 1), maxZoom);
  const ratio = view.zoom / zoom;
  return clampView({ zoom, x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio });
}

/** Returns a view that is moved by fractions of the image's sides, within the image. */
export function panBy(view: View, x: number, y: number): View {
  return clampView({ ...view, x: view.x + x, y: view.y + y });
}

/** Returns a view that is moved just far enough to contain a position. */
export function panTo(view: View, x: number, y: number): View {
  const span = 1 / view.zoom;
  const clampToSpan = (from: number, at: number) => Math.min(Math.max(from, at - span), at);
  return clampView({ ...view, x: clampToSpan(view.x, x), y: clampToSpan(view.y, y) });
}

function clampView({ zoom, x, y }: View): View {
  const clamp = (from: number) => Math.min(Math.max(from, 0), 1 - 1 / zoom);
  return { zoom, x: clamp(x), y: clamp(y) };
}
