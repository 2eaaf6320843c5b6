import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { Menu } from '../../components/menu.tsx';
import { announce, announceError } from '../../components/toast.tsx';
import { msg, t } from '../../i18n/index.ts';
import { CLOCKS, clock } from '../../preferences.ts';
import { symbol } from '../markets.ts';
import { toggleFullScreen, useFullScreenEscape } from './full-screen.ts';
import { IndicatorMenu } from './indicator-menu.tsx';
import {
  CHART_COUNTS,
  CHART_TYPES,
  type ChartType,
  chartCount,
  chartType,
  extraCharts,
  fitRequests,
  keyboardDrawing,
  magnet,
  PRICE_SCALES,
  priceScale,
  TOOLS,
  type Tool,
  tool,
} from './settings.ts';

/** Name and icon of each drawing tool. */
const TOOL_BUTTONS: Readonly<Record<Tool, readonly [name: string, path: string]>> = {
  trend: [msg('Trend line'), 'M4 15 16 5M3 14h2v2H3zM15 4h2v2h-2z'],
  ray: [msg('Ray'), 'M4 15 17 4M3 14h2v2H3zM13 4h4v4'],
  horizontal: [msg('Horizontal line'), 'M2 10h16M9 9h2v2H9z'],
  vertical: [msg('Vertical line'), 'M10 2v16M9 9h2v2H9z'],
  rectangle: [msg('Rectangle'), 'M4 5h12v10H4zM3 4h2v2H3zM15 14h2v2h-2z'],
  fibonacci: [msg('Fibonacci retracement'), 'M3 4h14M3 8h14M3 11h14M3 16h14'],
  measure: [msg('Measure'), 'M3 13 13 3l4 4L7 17zM6 10l2 2M9 7l2 2'],
};
const SCALE_NAMES = {
  linear: msg('Linear'),
  log: msg('Logarithmic'),
  percent: msg('Percent'),
} as const;
const TYPE_ICON = 'M5 3v14M3.5 6h3v8h-3zM12 4v13M10.5 8h3v5h-3z';
const INDICATOR_ICON = 'M3 14c3-9 5-9 7-4s4 4 7-5M3 17h14';
const GRID_ICON = 'M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z';
const MAGNET_ICON = 'M4 3h3v7a3 3 0 0 0 6 0V3h3v7a6 6 0 0 1-12 0zM4 6h3M13 6h3';
const TRASH_ICON = 'M4 6h12M8 6V4h4v2M6 6l1 11h6l1-11';
const TOOLS_ICON = 'M3 6h8M15 6h2M3 14h2M9 14h8M11 4h4v4h-4zM5 12h4v4H5z';
const FULL_ICON = 'M3 8V3h5M12 3h5v5M17 12v5h-5M8 17H3v-5';

/** The tools of the price charts. On low phones they are shown by a button, so that the chart has their height. */
export function ChartRail({ panel }: { panel: RefObject<HTMLElement | null> }) {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="icon-button rail-toggle"
        aria-label={t('Chart tools')}
        title={t('Chart tools')}
        aria-expanded={isOpen.value}
        aria-controls="chart-tools"
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon path={TOOLS_ICON} />
      </button>
      <Tools panel={panel} isOpen={isOpen.value} />
    </>
  );
}

interface ToolsProps {
  readonly panel: RefObject<HTMLElement | null>;
  /** Whether low phones show them. */
  readonly isOpen: boolean;
}

function Tools({ panel, isOpen }: ToolsProps) {
  useFullScreenEscape();
  return (
    <div
      id="chart-tools"
      class={isOpen ? 'chart-rail open' : 'chart-rail'}
      role="toolbar"
      aria-label={t('Chart tools')}
      aria-orientation="vertical"
    >
      <Menu
        id="chart-type"
        closesOnChoice
        buttonClass="icon-button"
        label={t('Chart type')}
        button={<Icon path={TYPE_ICON} />}
        listClass="rail-menu"
      >
        {(Object.keys(CHART_TYPES) as ChartType[]).map((id) => (
          <MenuChoice
            key={id}
            label={t(CHART_TYPES[id])}
            isChosen={chartType.value === id}
            onChoose={() => {
              chartType.value = id;
            }}
          />
        ))}
        <AxisChoices />
      </Menu>
      <Menu
        id="chart-indicators"
        buttonClass="icon-button"
        label={t('Indicators')}
        button={<Icon path={INDICATOR_ICON} />}
        listClass="rail-menu"
      >
        <IndicatorMenu />
      </Menu>
      {TOOLS.map((id) => (
        <ToolButton key={id} id={id} />
      ))}
      <RailButton
        label={t('Magnet: snap to OHLC')}
        path={MAGNET_ICON}
        isPressed={magnet.value === 'on'}
        onClick={() => {
          magnet.value = magnet.value === 'on' ? 'off' : 'on';
        }}
      />
      <RailButton label={t('Remove all drawings')} path={TRASH_ICON} onClick={removeAllDrawings} />
      <Menu
        id="chart-count"
        closesOnChoice
        buttonClass="icon-button"
        label={t('Number of charts')}
        button={<Icon path={GRID_ICON} />}
        listClass="rail-menu"
      >
        {CHART_COUNTS.map((count) => (
          <MenuChoice
            key={count}
            label={t('{count, plural, one {# chart} other {# charts}}', { count: Number(count) })}
            isChosen={chartCount.value === count}
            onChoose={() => {
              chartCount.value = count;
            }}
          />
        ))}
      </Menu>
      <RailButton
        label={t('Full screen')}
        path={FULL_ICON}
        onClick={() => toggleFullScreen(panel.current!).catch(announceError)}
      />
    </div>
  );
}

/** The axes, whose buttons below the chart are hidden where it is narrow. */
function AxisChoices() {
  return (
    <div class="axis-choices">
      <h3>{t('Price scale')}</h3>
      {PRICE_SCALES.map((id) => (
        <MenuChoice
          key={id}
          label={t(SCALE_NAMES[id])}
          isChosen={priceScale.value === id}
          onChoose={() => {
            priceScale.value = id;
          }}
        />
      ))}
      <MenuChoice
        label={t('Fit prices')}
        isChosen={false}
        onChoose={() => {
          fitRequests.value++;
        }}
      />
      <h3>{t('Time zone')}</h3>
      {CLOCKS.map((id) => (
        <MenuChoice
          key={id}
          label={id === 'utc' ? t('UTC') : t('Local')}
          isChosen={clock.value === id}
          onChoose={() => {
            clock.value = id;
          }}
        />
      ))}
    </div>
  );
}

/** Removes the drawings of all shown markets, which the user can undo. */
function removeAllDrawings(): void {
  const extra = extraCharts.peek().slice(0, Number(chartCount.peek()) - 1);
  const shown = [symbol.peek(), ...extra.map((chart) => chart.symbol ?? symbol.peek())];
  import('./drawings/drawing-tools.ts').then(({ removeDrawings }) => {
    const restore = removeDrawings(shown);
    if (restore === undefined) announce(t('There are no drawings to remove.'));
    else announce(t('Drawings removed.'), 'info', { label: t('Undo'), run: restore });
  }, announceError);
}

function ToolButton({ id }: { id: Tool }) {
  const [name, path] = TOOL_BUTTONS[id];
  return (
    <RailButton
      label={t(name)}
      path={path}
      isPressed={tool.value === id}
      onClick={(event) => {
        // A click by keyboard has no position.
        keyboardDrawing.value = event.detail === 0;
        tool.value = tool.peek() === id ? undefined : id;
      }}
    />
  );
}

interface RailButtonProps {
  readonly label: string;
  readonly path: string;
  readonly isPressed?: boolean;
  readonly onClick: (event: MouseEvent) => void;
}

function RailButton({ label, path, isPressed, onClick }: RailButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      <Icon path={path} />
    </button>
  );
}

function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

interface MenuChoiceProps {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function MenuChoice({ label, isChosen, onChoose }: MenuChoiceProps) {
  return (
    <button type="button" aria-pressed={isChosen} onClick={onChoose}>
      {label}
      {isChosen ? <span aria-hidden="true"> ✓</span> : null}
    </button>
  );
}
