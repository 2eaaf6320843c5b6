import { roundTrip } from './trading.ts';

/** The time that the last order took from the page to the exchange and back. The toast announces the order itself. */
export function RoundTrip() {
  const ms = roundTrip.value;
  return (
    <p class="round-trip" title="Time from sending your last order to the exchange's response">
      {ms === undefined ? '' : `Placed in ${Math.max(1, Math.round(ms))} ms`}
    </p>
  );
}
