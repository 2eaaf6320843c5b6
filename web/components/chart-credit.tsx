import type { ComponentChildren } from 'preact';
import { T } from '../i18n/index.ts';

/** The notice that the license of Lightweight Charts requires. */
export function ChartCredit({ children }: { children?: ComponentChildren }) {
  return (
    <p class="attribution">
      <T
        text="{children}TradingView Lightweight Charts™ <notice>© 2025 <a>TradingView, Inc.</a></notice>"
        children={children}
        notice={(children) => <span class="whole">{children}</span>}
        a={(children) => (
          <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
            {children}
          </a>
        )}
      />
    </p>
  );
}
