import { useEffect } from 'preact/hooks';
import { announceError } from '../../components/toast.tsx';

/** A part of the Keyboard API, which only Chromium has. */
interface Keyboard {
  lock?(keys: readonly string[]): Promise<void>;
}

/** Shows a panel on the full screen, or ends that. */
export async function toggleFullScreen(panel: HTMLElement): Promise<void> {
  if (document.fullscreenElement !== null) {
    await document.exitFullscreen();
    return;
  }
  await panel.requestFullscreen();
  // Escape would end the full screen instead of closing the menu that is open, or ending a drawing.
  const { keyboard } = navigator as Navigator & { readonly keyboard?: Keyboard };
  await keyboard?.lock?.(['Escape']);
}

/** Ends the full screen on Escape, unless the key closed a menu or ended a drawing. */
export function useFullScreenEscape(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isForPage = event.key === 'Escape' && !event.defaultPrevented;
      const isOverlaid = document.querySelector('dialog[open]') !== null;
      if (!isForPage || isOverlaid || document.fullscreenElement === null) return;
      document.exitFullscreen().catch(announceError);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
