import type { Config } from '../config/config.ts';
import { RejectionCode } from '../engine/rejection.ts';
import type { State } from '../engine/state.ts';
import * as logger from '../monitoring/logger.ts';
import { RecordingPlayer } from '../sandbox/recorded/player.ts';
import {
  checkMarkets,
  describeMarket,
  endText,
  openRecording,
  type Recording,
} from '../sandbox/recorded/recording.ts';
import type { NodeContext, NodeCore } from './node-core.ts';

/**
 * Checks the recorded files of the configuration, if there are any.
 * @param directory For the checked rows.
 * @throws RecordingError
 */
export async function openRecordedMarkets(
  { recording: setting }: Config,
  directory: string,
): Promise<Recording | undefined> {
  if (setting === undefined) return undefined;
  const recording = await openRecording(setting.files, directory);
  for (const warning of recording.warnings) logger.warn(warning);
  for (const market of recording.markets) logger.info(describeMarket(market));
  return recording;
}

/** Returns the first time of a new sandbox with a virtual clock, milliseconds since 1970. */
export function firstTime(
  { recording: setting, clockStart }: Config,
  recording: Recording | undefined,
): number {
  return recording !== undefined && setting?.hasOwnStart ? recording.startsAt : clockStart;
}

/**
 * Returns the player of the recording, if there is one.
 * @throws RecordingError if the sandbox was created without it
 */
export function createPlayer(
  { recording: setting, seed }: Config,
  { recording, now }: Pick<NodeContext, 'recording' | 'now'>,
  { replica }: Pick<NodeCore, 'replica'>,
): RecordingPlayer | undefined {
  if (recording === undefined) return undefined;
  const state: State = replica.exchange.state;
  checkMarkets(recording, state);
  return new RecordingPlayer({
    state,
    recording,
    hasQuotes: setting?.hasQuotes === true,
    seed,
    now: now(),
    submit: (command, onRejected) =>
      replica.submit(
        command,
        (outcome) => {
          if (outcome.kind === 'rejected') onRejected(outcome.rule ?? codeName(outcome.code));
        },
        // Too many commands wait, on a real clock with a slow disk.
        (error) => onRejected(error.message),
      ),
    onFirstRejection: ({ symbol }, reason) =>
      logger.warn(
        `An order of the recording of ${symbol} was rejected (${reason}). The rest is played; GET /api/sandbox/recordings counts the rejections.`,
      ),
    onEnd: (market) => logger.info(endText(market)),
  });
}

function codeName(code: RejectionCode): string {
  return Object.entries(RejectionCode).find(([, value]) => value === code)![0];
}
