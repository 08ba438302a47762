const directions: Record<string, readonly [dx: number, dy: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Returns the direction of an arrow key, x to the right and y down, and prevents scrolling. Undefined for other keys. */
export function arrowDirection(event: KeyboardEvent): readonly [dx: number, dy: number] | undefined {
  const direction = directions[event.key];
  if (direction) event.preventDefault();
  return direction;
}
