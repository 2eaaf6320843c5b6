import type Big from 'big.js';
import type { ComponentChildren } from 'preact';
import { grouped } from '../format.ts';
import { T } from '../i18n/index.ts';
import { findCommonAsset, type InMarket, type Unit } from './row-assets.ts';

/**
 * Returns the heading of a column, with the asset if all rows have the same; then the cells omit it, see orders.css.
 * @param text With the asset in `<unit>`, such as `Amount<unit> ({asset})</unit>`
 */
export function unitHead(text: string, unit: Unit) {
  return (rows: readonly InMarket[]): ComponentChildren => {
    const asset = findCommonAsset(rows, unit);
    const show = (children: ComponentChildren) =>
      asset === undefined ? null : <span class="head-unit">{children}</span>;
    return <T text={text} asset={asset ?? ''} unit={show} />;
  };
}

interface QuantityProps {
  readonly text: string;
  /** All digits, for the tooltip. */
  readonly exact: string | Big;
  readonly asset: string;
}

/** A number whose asset follows it if the heading has none and there is space; the tooltip always has it. */
export function Quantity({ text, exact, asset }: QuantityProps) {
  return (
    <span title={`${grouped(exact)} ${asset}`}>
      {text}
      <span class="cell-unit muted"> {asset}</span>
    </span>
  );
}
