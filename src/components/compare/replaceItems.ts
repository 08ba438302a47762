/** Replaces the items of a list. The focus stays in the same item, by its `data-id`, or else moves to the next. */
export function replaceItems(list: HTMLElement, items: HTMLElement[]): void {
  const { activeElement } = document;
  const before = [...list.children] as HTMLElement[];
  const index = before.findIndex((item) => item.contains(activeElement));
  list.replaceChildren(...items);
  if (index < 0) return;
  const sameItem = items.find(({ dataset }) => dataset.id === before[index].dataset.id);
  const next = sameItem ?? items[Math.min(index, items.length - 1)];
  next?.querySelector<HTMLElement>(activeElement!.localName)?.focus();
}
