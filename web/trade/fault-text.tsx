import { grouped } from '../format.ts';
import { T } from '../i18n/index.ts';

interface FaultTextProps {
  readonly fault: { readonly text: string; readonly nearest?: string | undefined };
  /** Called with the nearest valid value when the user chooses it. */
  readonly onUse: (nearest: string) => void;
}

/** A fault at a field, with a button for the nearest valid value if there is one. */
export function FaultText({ fault: { text, nearest }, onUse }: FaultTextProps) {
  return (
    <>
      {text}{' '}
      {nearest === undefined ? null : (
        <button type="button" class="link-button" onClick={() => onUse(nearest)}>
          <T text="Use {nearest}" nearest={grouped(nearest)} />
        </button>
      )}
    </>
  );
}
