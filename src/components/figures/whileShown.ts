/** A listener that ends by itself: once `node` has left the page it is called no more, and `end` is instead. */
export function whileShown<Given extends unknown[]>(
  node: Node,
  listener: (...given: Given) => void,
  end: () => void,
): (...given: Given) => void {
  let wasConnected = false;
  return (...given) => {
    wasConnected ||= node.isConnected;
    if (wasConnected && !node.isConnected) end();
    else listener(...given);
  };
}
