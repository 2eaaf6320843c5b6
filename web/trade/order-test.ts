import { effect, signal } from '@preact/signals';
import type { TestedOrder } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { canTrade } from './account.ts';
import type { Draft } from './draft.ts';
import { symbol } from './markets.ts';
import { draft, faults, parsedDraft, toPlacement } from './order-draft.ts';

/** Time after the last edit before the order is tested, so that typing does not use up the rate limit. */
const IDLE_MS = 700;
/** Time after which it is tested again. */
const AGAIN_MS = 5000;

interface Tested {
  readonly draft: Draft;
  readonly order: TestedOrder<string>;
}
const last = signal<Tested | undefined>(undefined);

/** The answer of the exchange to a test of the order as it is in the form; undefined until there is one. */
export const tested = {
  get value(): Tested | undefined {
    return last.value?.draft === draft.value ? last.value : undefined;
  },
};

/** Tests the order in the form whenever the user stops typing, and again while the market moves. The page's own estimate is shown until then. */
export function startOrderTests(): void {
  effect(() => {
    const now = draft.value;
    const isReady = canTrade.value && symbol.value !== '' && now.type !== 'oco';
    if (!isReady || faults.value.length > 0) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const test = () => {
      const placement = toPlacement(parsedDraft.peek(), symbol.peek());
      if (placement.kind === 'oco') return;
      timer = setTimeout(test, AGAIN_MS);
      if (document.hidden) return;
      api
        .testOrder(placement.parameters)
        .then(({ order }) => {
          last.value = { draft: now, order };
        })
        // The estimate stays, and placing the order shows the same error.
        .catch(() => {});
    };
    timer = setTimeout(test, IDLE_MS);
    return () => clearTimeout(timer);
  });
}
