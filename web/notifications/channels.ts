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

/** Patterns of the events of each channel that the exchange knows. */
export interface Channels {
  readonly page: readonly string[];
  readonly mail: readonly string[];
}

interface ChannelStore {
  read(): Promise<Channels>;
  /** Replaces the events of a channel; returns those of all. */
  write(changed: Partial<Channels>): Promise<Channels>;
}

/** An event that is turned on or off in a channel. */
export interface Change {
  readonly channel: keyof Channels;
  readonly event: string;
  readonly isOn: boolean;
}

/** Saves changes of channels one after another, and shows what is saved with the changes that are on their way. */
export class ChannelChanges {
  private readonly pending: Change[] = [];
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly offered: readonly string[],
    private saved: Channels,
    private readonly store: ChannelStore,
    private readonly show: (channels: Channels) => void,
  ) {}

  /** @throws The error of the request; the exchange's state is shown then */
  make(change: Change): Promise<void> {
    this.pending.push(change);
    this.update();
    const done = this.last.then(() => this.send(change));
    this.last = done.catch(() => {});
    return done;
  }

  private async send(change: Change): Promise<void> {
    const { channel } = change;
    try {
      this.saved = await this.store.write({ [channel]: this.apply(this.saved, change)[channel] });
    } catch (error) {
      // A request whose response was lost may have taken effect.
      this.saved = await this.store.read().catch(() => this.saved);
      throw error;
    } finally {
      this.pending.shift();
      this.update();
    }
  }

  private apply(channels: Channels, { channel, event, isOn }: Change): Channels {
    return { ...channels, [channel]: toggleEvent(this.offered, channels[channel], event, isOn) };
  }

  private update(): void {
    this.show(this.pending.reduce((shown, change) => this.apply(shown, change), this.saved));
  }
}
