import type { ComponentChildren } from 'preact';
import { useCallback, useId, useRef } from 'preact/hooks';

/** Minimum distance of the box from the left edge of the window. */
const MARGIN_PX = 8;
/** Buttons closer to the top of the window have the box below them. */
const MIN_TOP_PX = 120;

interface TipProps {
  readonly tip: ComponentChildren;
  /** Called before the box opens, such as to load what it shows. */
  readonly onOpen?: () => void;
  readonly children: ComponentChildren;
}

/** A text with an explanation in a box, for as long as it is pointed at or has the focus, and after a tap. Escape closes it. */
export function Tip({ tip, onOpen, children }: TipProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLSpanElement>(null);
  // One function for all renders, which the document keeps once. The button loses the focus when it is removed, too.
  const close = useCallback(() => box.current?.hidePopover(), []);
  const open = () => {
    if (box.current!.matches(':popover-open')) return;
    onOpen?.();
    box.current!.showPopover();
    place(box.current!, button.current!);
    // The box does not move with its button.
    document.addEventListener('scroll', close, { capture: true, passive: true, once: true });
  };
  // After the scroll that brings the button into view, which would close the box.
  const openOnFocus = () =>
    requestAnimationFrame(() => {
      if (button.current?.matches(':focus')) open();
    });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys open the box by the focus of the button
    <span class="tip" onMouseEnter={open} onMouseLeave={close}>
      {/* A press outside of the box closes it, also one on the button, so that its click opens it again. */}
      <button
        type="button"
        ref={button}
        class="tip-text"
        aria-describedby={id}
        onFocus={openOnFocus}
        onBlur={close}
        onClick={open}
      >
        {children}
      </button>
      <span id={id} role="tooltip" ref={box} class="tip-box" popover="auto">
        {tip}
      </span>
    </span>
  );
}

/** Puts the box above the button, or below it, so that content that loads later keeps it next to the button. */
function place(box: HTMLElement, button: HTMLElement): void {
  const { style, offsetWidth: width } = box;
  const { top, bottom, right } = button.getBoundingClientRect();
  const isBelow = top < MIN_TOP_PX;
  style.top = isBelow ? `${bottom}px` : 'auto';
  style.bottom = isBelow ? 'auto' : `${innerHeight - top}px`;
  style.right = `${Math.min(innerWidth - right, innerWidth - width - MARGIN_PX)}px`;
}
