import type { ComponentChildren } from 'preact';
import { T } from '../i18n/index.ts';

interface UnitTitleProps {
  /** With the unit in `<unit>`, such as `Price<unit> ({asset})</unit>`. */
  readonly text: string;
  readonly asset: string;
}

/** The title of a column, without its unit if there is no room for it. */
export function UnitTitle({ text, asset }: UnitTitleProps) {
  const unit = (children: ComponentChildren) => <span class="unit-part">{children}</span>;
  return (
    <span class="unit-title">
      <T text={text} asset={asset} unit={unit} />
    </span>
  );
}
