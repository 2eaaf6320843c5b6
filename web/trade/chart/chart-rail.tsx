import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { Icon, type IconName } from '../../components/icon.tsx';
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

/** Names of the drawing tools. Each has an icon of the same name as its id. */
const TOOL_NAMES: Readonly<Record<Tool, string>> = {
  trend: msg('Trend line'),
  ray: msg('Ray'),
  horizontal: msg('Horizontal line'),
  vertical: msg('Vertical line'),
  rectangle: msg('Rectangle'),
  fibonacci: msg('Fibonacci retracement'),
  measure: msg('Measure'),
};
const SCALE_NAMES = {
  linear: msg('Linear'),
  log: msg('Logarithmic'),
  percent: msg('Percent'),
} as const;

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
        <Icon name="tools" />
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
        button={<Icon name="candles" />}
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
        button={<Icon name="indicator" />}
        listClass="rail-menu"
      >
        <IndicatorMenu />
      </Menu>
      {TOOLS.map((id) => (
        <ToolButton key={id} id={id} />
      ))}
      <RailButton
        label={t('Magnet: snap to OHLC')}
        icon="magnet"
        isPressed={magnet.value === 'on'}
        onClick={() => {
          magnet.value = magnet.value === 'on' ? 'off' : 'on';
        }}
      />
      <RailButton label={t('Remove all drawings')} icon="trash" onClick={removeAllDrawings} />
      <Menu
        id="chart-count"
        closesOnChoice
        buttonClass="icon-button"
        label={t('Number of charts')}
        button={<Icon name="grid" />}
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
        icon="fullScreen"
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
  return (
    <RailButton
      label={t(TOOL_NAMES[id])}
      icon={id}
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
  readonly icon: IconName;
  readonly isPressed?: boolean;
  readonly onClick: (event: MouseEvent) => void;
}

function RailButton({ label, icon, isPressed, onClick }: RailButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
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
