import { expect } from 'bun:test';
import type { Command } from '../engine/command.ts';
import type { TradeEvent } from '../engine/event.ts';
import { Exchange } from '../engine/exchange.ts';
import { RejectionCode } from '../engine/rejection.ts';
import { RecordingPlayer } from '../sandbox/recorded/player.ts';
import { recordedGenesis } from '../sandbox/recorded/recorded-genesis.ts';
import type { Recording } from '../sandbox/recorded/recording.ts';

/** The accounts of a recording cannot pay for its orders. */
export class InsufficientFundsError extends Error {
  override readonly name = 'InsufficientFundsError';
}

/** Plays a recording as a sandbox does, without a node. @returns Its trades. @throws InsufficientFundsError */
export function playRecording(recording: Recording): TradeEvent[] {
  const exchange = new Exchange();
  for (const command of recordedGenesis(recording)) exchange.apply(command, recording.startsAt);
  const submitted: Command[] = [];
  const player = new RecordingPlayer({
    state: exchange.state,
    submit: (command) => void submitted.push(command),
    onFirstRejection: () => {},
    recording,
    hasQuotes: false,
    seed: 1,
    now: recording.startsAt,
    onEnd: () => {},
  });
  const trades: TradeEvent[] = [];
  while (player.nextAt < Number.POSITIVE_INFINITY) {
    const time = player.nextAt;
    player.run(time);
    for (const command of submitted.splice(0)) {
      const outcome = exchange.apply(command, time);
      if (outcome.kind === 'rejected') {
        expect(outcome.code).toBe(RejectionCode.insufficientBalance);
        throw new InsufficientFundsError();
      }
      trades.push(...exchange.events.filter((event) => event.kind === 'trade'));
    }
  }
  return trades;
}
