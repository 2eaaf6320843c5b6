import { includesEvent } from './events.ts';

/** Returns the events of a channel after one was turned on or off. @param offered All events of the channel. */
export function toggleEvent(
  offered: readonly string[],
  chosen: readonly string[],
  event: string,
  isOn: boolean,
): string[] {
  return offered.filter((name) => (name === event ? isOn : includesEvent(chosen, name)));
}
