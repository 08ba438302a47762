/** The part of a picture that is shown: so many times larger, from a place on, in shares of the picture. */
export interface View {
  zoom: number;
  x: number;
  y: number;
}

export const wholeView: View = { zoom: 1, x: 0, y: 0 };

/**
 * Larger or smaller by a factor, where the place at x, y of the picture stays where it is seen.
 * @param most so many times larger than the whole picture at most
 */
export function zoomed(view: View, factor: number, x: number, y: number, most = 32): View {
  const zoom = Math.min(Math.max(view.zoom * factor, 1), most);
  const keep = view.zoom / zoom;
  return within({ zoom, x: x - (x - view.x) * keep, y: y - (y - view.y) * keep });
}

/** Moved by shares of the picture, as far as it reaches. */
export function moved(view: View, x: number, y: number): View {
  return within({ ...view, x: view.x + x, y: view.y + y });
}

/** Moved no farther than a place of the picture needs to be seen. */
export function showing(view: View, x: number, y: number): View {
  const span = 1 / view.zoom;
  const reach = (from: number, at: number) => Math.min(Math.max(from, at - span), at);
  return within({ ...view, x: reach(view.x, x), y: reach(view.y, y) });
}

function within({ zoom, x, y }: View): View {
  const clamp = (from: number) => Math.min(Math.max(from, 0), 1 - 1 / zoom);
  return { zoom, x: clamp(x), y: clamp(y) };
}
