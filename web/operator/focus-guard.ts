/**
 * Keeps the keyboard's place: if the element with the focus is removed, such as the button of a row that is gone or a form that
 * was sent, the heading of its panel takes the focus. Without this it would fall to the top of the page.
 * @param root The section, with its dialogs.
 * @returns a function that ends it
 */
export function guardFocus(root: HTMLElement): () => void {
  let last: Element | undefined;
  let panel: Element | undefined;
  const note = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || !root.contains(target)) {
      last = undefined;
      return;
    }
    last = target;
    // A dialog is often outside the panel that opened it.
    panel = target.closest('.panel') ?? panel;
  };
  const restore = () => {
    if (last === undefined || last.isConnected || document.activeElement !== document.body) return;
    const home = panel?.isConnected === true ? panel : root;
    const heading = home.querySelector<HTMLElement>('h2') ?? root.querySelector<HTMLElement>('h2');
    if (heading === null) return;
    if (!heading.hasAttribute('tabindex')) heading.setAttribute('tabindex', '-1');
    heading.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(restore);
  observer.observe(root, { childList: true, subtree: true, attributeFilter: ['open'] });
  document.addEventListener('focusin', note);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', note);
  };
}
