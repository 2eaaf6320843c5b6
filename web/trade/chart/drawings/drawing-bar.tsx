import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../../components/icon.tsx';
import { msg, t } from '../../../i18n/index.ts';
import type { DrawingLayer } from './drawing-layer.ts';
import type { SelectionBox } from './selected-drawing.ts';
import { COLORS, WIDTHS } from './shapes.ts';

/** Names of the colors of series, for screen readers. */
const COLOR_NAMES = [
  msg('Blue'),
  msg('Teal'),
  msg('Orange'),
  msg('Purple'),
  msg('Pink'),
  msg('Olive'),
] as const;
/** Distance of the bar from its drawing and from the edges of the chart, in pixels. */
const GAP_PX = 12;
const EDGE_PX = 4;

/** The color, width and removal of the selected drawing, next to it. */
export function DrawingBar({ layer }: { layer: DrawingLayer }) {
  const bar = useRef<HTMLDivElement>(null);
  const box = layer.selected.box.value;
  useLayoutEffect(() => {
    if (box !== undefined) place(bar.current!, box);
  }, [box]);
  if (box === undefined) return null;
  const { color, width = 1 } = box.shape;
  return (
    <div class="drawing-bar" role="toolbar" aria-label={t('Drawing')} ref={bar}>
      {COLORS.map((each) => (
        <button
          key={each}
          type="button"
          class="drawing-color"
          aria-label={t(COLOR_NAMES[each])}
          title={t(COLOR_NAMES[each])}
          aria-pressed={each === color}
          onClick={() => layer.selected.style({ color: each })}
        >
          <span class={`tone-${each}`} />
        </button>
      ))}
      {WIDTHS.map((each) => (
        <button
          key={each}
          type="button"
          class="icon-button"
          aria-label={t('Line width {each}', { each })}
          title={t('Line width {each}', { each })}
          aria-pressed={each === width}
          onClick={() => layer.selected.style({ width: each })}
        >
          <svg viewBox="0 0 20 20" aria-hidden="true" style={{ strokeWidth: `${each}` }}>
            <path d="M4 10h12" />
          </svg>
        </button>
      ))}
      <button
        type="button"
        class="icon-button"
        aria-label={t('Remove drawing')}
        title={t('Remove drawing')}
        onClick={() => layer.selected.remove()}
      >
        <Icon name="trash" />
      </button>
    </div>
  );
}

/** Places the bar above its drawing, or below it if there is no space. */
function place(bar: HTMLElement, { left, right, top, bottom }: SelectionBox): void {
  const { clientWidth, clientHeight } = bar.offsetParent ?? bar;
  const { offsetWidth: width, offsetHeight: height } = bar;
  const above = top - height - GAP_PX;
  const y = above >= EDGE_PX ? above : bottom + GAP_PX;
  const within = (at: number, end: number) => Math.max(EDGE_PX, Math.min(at, end - EDGE_PX));
  bar.style.left = `${within((left + right - width) / 2, clientWidth - width)}px`;
  bar.style.top = `${within(y, clientHeight - height)}px`;
}
