import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Marks a box that scrolls sideways with the classes `cut-left` and `cut-right` while content is out of view there. */
export function useScrollFade(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = box.current!;
    const mark = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      element.classList.toggle('cut-left', scrollLeft > 1);
      element.classList.toggle('cut-right', scrollLeft + clientWidth < scrollWidth - 1);
    };
    const observer = new ResizeObserver(mark);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    element.addEventListener('scroll', mark, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', mark);
    };
  }, [box]);
}

/** Distance of a revealed element from the edges, which are faded. */
const MARGIN_PX = 52;

/** Scrolls a box sideways until a child is in view; nothing else scrolls. */
export function revealInside(box: HTMLElement, child: HTMLElement): void {
  const [outer, inner] = [box.getBoundingClientRect(), child.getBoundingClientRect()];
  if (inner.left < outer.left + MARGIN_PX) box.scrollLeft += inner.left - outer.left - MARGIN_PX;
  else if (inner.right > outer.right - MARGIN_PX) {
    box.scrollLeft += inner.right - outer.right + MARGIN_PX;
  }
}
