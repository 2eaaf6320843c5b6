import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { dataPaths } from '../config/data-paths.ts';
import * as logger from '../monitoring/logger.ts';
import { type Checkpoint, Checkpoints } from '../sandbox/checkpoints/checkpoints.ts';
import { SandboxCheckpoints } from '../sandbox/checkpoints/sandbox-checkpoints.ts';
import { ClockControl } from '../sandbox/clock/clock-control.ts';
import { SandboxClock } from '../sandbox/clock/sandbox-clock.ts';
import {
  MarketMakers,
  type MarketMakersOptions,
  type SavedMakers,
} from '../sandbox/makers/market-makers.ts';
import type { RecordingPlayer } from '../sandbox/recorded/player.ts';
import { type RandomBytes, seededBytes } from '../sandbox/seeded-bytes.ts';
import type { NodeContext, NodeCore } from './node-core.ts';
import { createPlayer } from './recorded-markets.ts';

/** More than this much time to play, or a faster clock, makes the turns of the market makers rare. */
const COARSE_MS = 600_000;
const COARSE_SPEED = 30;

/** The parts that only a sandbox on one node has. */
export interface SandboxParts {
  readonly control: ClockControl;
  readonly makers: MarketMakers | undefined;
  readonly checkpoints: SandboxCheckpoints;
  readonly player: RecordingPlayer | undefined;
  /** Ends the market makers' orders and stops the clock. */
  stop(): Promise<void>;
}

/** Whether a sandbox's data may be lost in a power loss, and its keys follow from its seed. */
export function isVirtual({ isSandbox, clock }: Config): boolean {
  return isSandbox && clock.mode !== 'real';
}

/** Returns the source of keys: the seed's if the clock is virtual, so that the same calls have the same results. */
export function openRandomBytes(config: Config, position: () => number): RandomBytes {
  return isVirtual(config) ? seededBytes(config.seed, position) : randomBytes;
}

/** Starts the clock and the market makers of a sandbox. */
export async function startSandbox(
  config: Config,
  context: NodeContext,
  { replica, archivist }: Pick<NodeCore, 'replica' | 'archivist'>,
  returnTo: (checkpoint: Checkpoint) => Promise<void>,
  resumed: Checkpoint | undefined,
): Promise<SandboxParts | undefined> {
  const { clock: setting, hasMakers, seed } = config;
  const { clock, timeline, onFailure } = context;
  if (!(clock instanceof SandboxClock)) return undefined;
  if (resumed !== undefined) clock.resume(resumed);
  const control = new ClockControl(
    { clock, timeline, replica, archivist, onFailure },
    resumed?.clock ?? { ...setting, stepMs: 0 },
  );
  const makers = hasMakers ? createMakers(replica, control, seed, resumed?.makers) : undefined;
  if (makers !== undefined) timeline.add(makers);
  const player = createPlayer(config, context, { replica });
  if (player !== undefined) timeline.add(player);
  await control.begin();
  return {
    control,
    makers,
    checkpoints: new SandboxCheckpoints(
      { replica, archivist, control, makers, returnTo },
      openCheckpoints(config),
    ),
    player,
    stop: async () => {
      await control.stop();
      makers?.cancelAll();
    },
  };
}

function createMakers(
  replica: NodeCore['replica'],
  control: ClockControl,
  seed: number,
  saved: SavedMakers | undefined,
): MarketMakers {
  const warned = new Set<string>();
  const options: MarketMakersOptions = {
    state: replica.exchange.state,
    seed,
    startsAt: control.now,
    isCoarse: () =>
      control.remainingMs > COARSE_MS ||
      (control.mode === 'scaled' && control.speed > COARSE_SPEED),
    submit: (command) =>
      replica.submit(command, (outcome) => {
        if (outcome.kind !== 'rejected' || warned.has(`${outcome.code}`)) return;
        warned.add(`${outcome.code}`);
        logger.warn(
          `An order of the sandbox's market makers was rejected (${outcome.rule ?? outcome.code}). They continue; this is not reported again.`,
        );
      }),
  };
  return new MarketMakers(options, saved);
}

/** Opens the checkpoints of a sandbox. */
export function openCheckpoints({ dataDirectory }: Config): Checkpoints {
  const paths = dataPaths(dataDirectory);
  const databases = [paths.history, paths.accounts].flatMap((path) => [path, `${path}-wal`]);
  const files = [paths.sandbox, paths.sandboxVariables];
  const content = [paths.log, paths.snapshots, paths.proofs, ...databases, ...files];
  return new Checkpoints({ ...paths, content });
}
