import { msg } from '../i18n/t.ts';
import type { ExactMarket } from './records.ts';

export const STATUS_NAMES: Readonly<Record<ExactMarket['status'], string>> = {
  online: msg('Online'),
  post_only: msg('Post-only'),
  limit_only: msg('Limit-only'),
  cancel_only: msg('Cancel-only'),
  halted: msg('Halted'),
  auction: msg('Auction'),
  delisted: msg('Delisted'),
};
