import { signal } from '@preact/signals';

const PX = 11;

/** Whether the web font has loaded. Effects that draw texts run again then, because its characters have other widths. */
const isLoaded = signal(false);
let families: { readonly all: string; readonly fallback: string } | undefined;

/** Returns the font family of texts on canvases: that of the page, without the web font until it has loaded. */
export function canvasFamily(): string {
  families ??= load();
  return isLoaded.value ? families.all : families.fallback;
}

/** Returns the font of texts on canvases. */
export function canvasFont(): string {
  return `${PX}px ${canvasFamily()}`;
}

function load() {
  const all = getComputedStyle(document.documentElement).fontFamily;
  const [webFont, ...fallback] = all.split(', ');
  document.fonts.load(`${PX}px ${webFont}`).then(
    () => {
      isLoaded.value = true;
    },
    // Without the web font the fallback stays.
    () => {},
  );
  return { all, fallback: fallback.join(', ') };
}
