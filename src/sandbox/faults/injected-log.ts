import type { InjectedFault } from './script.ts';

/** Maximum faults that are listed; the oldest are dropped. */
export const MAX_INJECTED = 10_000;

/** A place in the log, and the exchange's time then, milliseconds since 1970. */
export interface Moment {
  readonly position: number;
  readonly time: number;
}

/** The faults that happened, the newest MAX_INJECTED of them. */
export class InjectedLog {
  private entries: InjectedFault[] = [];
  private lastNumber = 0;

  add(entry: Omit<InjectedFault, 'number'>): void {
    this.entries.push({ number: ++this.lastNumber, ...entry });
    // Halved at once, because removing the first of an array one by one would cost its length each time.
    if (this.entries.length >= 2 * MAX_INJECTED) this.entries = this.entries.slice(-MAX_INJECTED);
  }

  /** Number of faults that happened, those that are no longer listed included. */
  get total(): number {
    return this.lastNumber;
  }

  /** Number of faults that are no longer listed. */
  get dropped(): number {
    return Math.max(0, this.lastNumber - MAX_INJECTED);
  }

  /** Returns the faults after a number, oldest first. @param scriptId Undefined for those of all scripts. */
  list(afterNumber: number, limit: number, scriptId?: string): InjectedFault[] {
    const kept = this.entries.slice(-MAX_INJECTED);
    const isListed = ({ number, scriptId: id }: InjectedFault) =>
      number > afterNumber && (scriptId === undefined || id === scriptId);
    return kept.filter(isListed).slice(0, limit);
  }
}
