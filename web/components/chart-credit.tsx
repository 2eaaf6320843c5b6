import type { ComponentChildren } from 'preact';

/** The notice that the license of Lightweight Charts requires. */
export function ChartCredit({ children }: { children?: ComponentChildren }) {
  return (
    <p class="attribution">
      {children}TradingView Lightweight Charts™ © 2025{' '}
      <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
        TradingView, Inc.
      </a>
    </p>
  );
}
