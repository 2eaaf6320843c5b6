import { FieldError } from '../components/action.ts';
import { t } from '../i18n/t.ts';

/** Reads amounts such as `1000000 USDT, 20 BTC`. @throws FieldError */
export function toAmounts(text: string, field: string): { asset: string; amount: string }[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const [amount, asset, ...more] = part.split(/\s+/);
      if (/^\d+(\.\d+)?$/.test(amount!) && asset !== undefined && more.length === 0) {
        return { asset, amount: amount! };
      }
      throw new FieldError(field, t('Enter amounts with their assets: 1000000 USDT, 20 BTC'));
    });
}
