import type { ComponentChildren } from 'preact';
import { T } from '../i18n/index.ts';

/** The notice that the license of Lightweight Charts requires. */
export function ChartCredit({ children }: { children?: ComponentChildren }) {
  return (
    <p class="attribution">
      <T
        text="{children}TradingView Lightweight Charts™ © 2025 <a>TradingView, Inc.</a>"
        children={children}
        a={(children) => (
          <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
            {children}
          </a>
        )}
      />
    </p>
  );
}
