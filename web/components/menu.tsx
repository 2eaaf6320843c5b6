import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface MenuProps {
  readonly id: string;
  /** Name of the button for screen readers; by default its content. */
  readonly label?: string;
  readonly buttonClass: string;
  readonly button: ComponentChildren;
  readonly listClass?: string;
  readonly onOpen?: () => void;
  /** Whether a choice closes the box. */
  readonly closesOnChoice?: boolean;
  readonly children: ComponentChildren;
}

/** A button that opens a box below itself, until the user presses Escape or leaves it. */
export function Menu({ id, label, buttonClass, button, listClass = '', ...rest }: MenuProps) {
  const isOpen = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) isOpen.value = false;
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('focusin', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('focusin', close);
    };
  }, [isOpen]);
  const close = () => {
    isOpen.value = false;
    box.current?.querySelector('button')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen.value) return;
    event.preventDefault();
    close();
  };
  const onClick = (event: MouseEvent) => {
    if (rest.closesOnChoice === true && (event.target as Element).closest('button')) close();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the menu
    <div class="menu" ref={box} onKeyDown={onKeyDown}>
      <button
        type="button"
        class={buttonClass}
        aria-label={label}
        aria-expanded={isOpen.value}
        aria-controls={id}
        onClick={() => {
          isOpen.value = !isOpen.value;
          if (isOpen.value) rest.onOpen?.();
        }}
      >
        {button}
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys click the buttons in it */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div id={id} class={`menu-list ${listClass}`} hidden={!isOpen.value} onClick={onClick}>
        {rest.children}
      </div>
    </div>
  );
}
