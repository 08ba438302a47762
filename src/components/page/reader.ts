/** What a reader can do anywhere on a page. */
export interface ReaderActions {
  /** The pointer comes over an element. */
  over?(element: Element): void;
  /** The mouse leaves the page. A lifted finger does not count: what it tapped stays. */
  leave?(): void;
  /** An element gets the focus. */
  focus?(element: Element): void;
  /** The focus goes from an element to nothing else on the page. */
  blur?(element: Element): void;
  press?(element: Element): void;
  release?(event: PointerEvent): void;
  click?(element: Element): void;
  key?(event: KeyboardEvent): void;
  paste?(event: ClipboardEvent): void;
  /** Something is dragged over the page. Its default is no drop. */
  drag?(event: DragEvent): void;
  drop?(event: DragEvent): void;
  /** The page is visible again, after another tab or window. */
  comeBack?(): void;
}

/**
 * Follows what the reader does anywhere on the page. Only this module listens on the document: static text has linked
 * elements too, cells replace their outputs, and a paste or Escape without a focused element reaches no other one.
 * @param signal ends it
 */
export function followReader(actions: ReaderActions, signal?: AbortSignal): void {
  const { over, leave, focus, blur, press, release, click, key, paste, drag, drop, comeBack } = actions;
  const listen = <Type extends keyof DocumentEventMap>(
    type: Type,
    listener: ((event: DocumentEventMap[Type]) => void) | undefined,
    capture = false,
  ) => listener && document.addEventListener(type, listener, { capture, signal });
  const onElement = (act?: (element: Element) => void) =>
    act && (({ target }: Event) => target instanceof Element && act(target));
  listen("pointerover", onElement(over));
  listen("pointerleave", leave && (({ pointerType }) => pointerType === "mouse" && leave()));
  listen("focusin", onElement(focus));
  const isLost = ({ target, relatedTarget }: FocusEvent) => !relatedTarget && document.activeElement !== target;
  // A window that loses the focus still has an active element.
  listen("focusout", blur && ((event) => isLost(event) && onElement(blur)!(event)));
  listen("pointerdown", onElement(press), true);
  listen("pointerup", release, true);
  listen("pointercancel", release, true);
  listen("click", onElement(click));
  listen("keydown", key);
  listen("paste", paste);
  listen("dragover", drag);
  listen("drop", drop);
  listen("visibilitychange", comeBack && (() => !document.hidden && comeBack()));
}
