import type { Command } from '../../engine/command.ts';
import type { State } from '../../engine/state.ts';
import { cancelIn } from '../limit-orders.ts';
import { MAKER, TAKER } from '../makers/maker-accounts.ts';
import { BookPlayer } from './book-player.ts';
import type { RecordedEvent } from './events.ts';
import type { MarketPlayer } from './market-player.ts';
import { OrderPlayer } from './order-player.ts';
import { quotedMarket } from './quoted-market.ts';
import { BUYERS, SELLERS } from './recorded-accounts.ts';
import { eventsIn, type RecordedMarket, type Recording } from './recording.ts';
import { TradePlayer } from './trade-player.ts';

/** Maximum events of one run: an account may have 2,048 commands waiting. More at one time continue a millisecond later. */
const MAX_EVENTS_PER_RUN = 500;

export interface RecordingPlayerOptions {
  readonly state: State;
  /** Submits a command, and reports the reason if it is rejected. */
  readonly submit: (command: Command, onRejected: (reason: string) => void) => void;
  readonly recording: Recording;
  /** Whether makers quote around recorded trades. */
  readonly hasQuotes: boolean;
  readonly seed: number;
  /** The present, milliseconds since 1970. Events before it are skipped. */
  readonly now: number;
  /** Called for each reason for which commands in a market were rejected. */
  readonly onFirstRejection: (market: RecordedMarket, reason: string) => void;
  /** Called once a market's recording has ended. */
  readonly onEnd: (market: RecordedMarket) => void;
}

/** The progress of a recorded market. */
export interface RecordedProgress {
  readonly market: RecordedMarket;
  /** Events played since the start of the process. */
  readonly played: number;
  /** Events before the time at which the process started. */
  readonly skipped: number;
  /** Rejected commands. */
  readonly rejected: number;
  readonly isEnded: boolean;
}

interface Played extends RecordedProgress {
  readonly player: MarketPlayer;
  /** Time of the last run with events. */
  playedAt: number;
  /** Time after the last event, or after the run that played it later. */
  endsAt: number;
  played: number;
  skipped: number;
  rejected: number;
  isEnded: boolean;
}

/**
 * Plays a recording in the markets of a sandbox. Its commands depend only on the recording, the seed, the time and the
 * state of the exchange: after a restart it continues at the present time.
 */
export class RecordingPlayer {
  private readonly markets: readonly Played[];
  private readonly events: Iterator<RecordedEvent>;
  private next: RecordedEvent | undefined;
  /** When events continue that wait for those of the last run, milliseconds since 1970. */
  private waitsUntil = 0;

  constructor(private readonly options: RecordingPlayerOptions) {
    const { recording, now, state } = options;
    this.markets = recording.markets.map((market, index) => ({
      market,
      player: this.createPlayer(market, this.submitterFor(index)),
      endsAt: market.files.at(-1)!.lastTime + 1,
      ...{ playedAt: 0, played: 0, skipped: 0, rejected: 0, isEnded: false },
    }));
    this.events = eventsIn(recording);
    this.advance();
    // Once there was an order, the events of the present have been played.
    const isResumed = state.nextOrderId > 1;
    while (
      this.next !== undefined &&
      (this.next.time < now || (isResumed && this.next.time === now))
    ) {
      const market = this.markets[this.next.market]!;
      market.player.skip?.(this.next);
      market.skipped++;
      this.advance();
    }
    for (const { player } of this.markets) player.begin?.(now, isResumed);
  }

  get progress(): readonly RecordedProgress[] {
    return this.markets;
  }

  /** When it acts next, milliseconds since 1970; Infinity after the end. */
  get nextAt(): number {
    let next = this.next === undefined ? Number.POSITIVE_INFINITY : this.next.time;
    next = Math.max(next, this.waitsUntil);
    for (const { player, endsAt, isEnded } of this.markets) {
      if (!isEnded) next = Math.min(next, player.nextAt, endsAt);
    }
    return next;
  }

  /** Plays what is due. @param time Milliseconds since 1970. */
  run(time: number): void {
    this.playEvents(time);
    for (const market of this.markets) {
      if (market.isEnded) continue;
      const mayWait = this.next !== undefined && this.next.time < market.endsAt;
      if (time >= market.endsAt && !mayWait && market.playedAt !== time) this.end(market);
      else {
        market.player.endRun(time);
        // The orders of this run can be canceled only after it.
        if (time >= market.endsAt) market.endsAt = time + 1;
      }
    }
  }

  private playEvents(time: number): void {
    if (time < this.waitsUntil) return;
    for (let count = 0; this.next !== undefined && this.next.time <= time; count++) {
      const market = this.markets[this.next.market]!;
      if (count === MAX_EVENTS_PER_RUN || !market.player.play(this.next)) {
        this.waitsUntil = time + 1;
        return;
      }
      market.played++;
      market.playedAt = time;
      this.advance();
    }
  }

  /** Cancels the orders of the recording's accounts in a market. */
  private end(ended: Played): void {
    const { state, onEnd } = this.options;
    const submit = this.submitterFor(this.markets.indexOf(ended));
    ended.isEnded = true;
    const market = state.marketsBySymbol.get(ended.market.symbol);
    for (const id of [MAKER, TAKER, ...BUYERS, ...SELLERS]) {
      const account = state.accountsById.get(id);
      // The operator may have delisted the market, which ends its orders.
      if (market === undefined || account === undefined || account.openSlots.length === 0) continue;
      submit(cancelIn(account.index, market, {}));
    }
    onEnd(ended.market);
  }

  private advance(): void {
    const { done, value } = this.events.next();
    this.next = done ? undefined : value;
  }

  /** Returns a function that submits commands and counts those that are rejected. */
  private submitterFor(index: number): (command: Command) => void {
    const reasons = new Set<string>();
    return (command) =>
      this.options.submit(command, (reason) => {
        const played = this.markets[index]!;
        played.rejected++;
        if (reasons.has(reason)) return;
        reasons.add(reason);
        this.options.onFirstRejection(played.market, reason);
      });
  }

  private createPlayer(recorded: RecordedMarket, submit: (command: Command) => void): MarketPlayer {
    const { state, hasQuotes, seed } = this.options;
    const market = state.marketsBySymbol.get(recorded.symbol)!;
    const index = (id: string) => state.accountsById.get(id)!.index;
    const context = { state, market, submit };
    switch (recorded.format) {
      case 'l3':
      case 'bitstamp':
        return new OrderPlayer({
          ...context,
          buyers: BUYERS.map(index),
          sellers: SELLERS.map(index),
        });
      case 'l2':
        return new BookPlayer({ ...context, maker: index(MAKER), taker: index(TAKER) });
      default:
        return new TradePlayer({
          ...context,
          maker: index(MAKER),
          taker: index(TAKER),
          quoted: hasQuotes ? quotedMarket(recorded) : undefined,
          seed,
          firstPrice: recorded.firstPrice,
          startsAt: recorded.files[0]!.firstTime,
        });
    }
  }
}
