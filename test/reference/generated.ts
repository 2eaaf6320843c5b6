import { below, type Random, seededRandom } from '../../src/storage/seeded-random.ts';
import { type Message, Request, Workload } from './workload.ts';

/** Parameters of a generated workload; the same seed gives the same messages. */
export interface Flow {
  seed: number;
  messages: number;
  /** Number of messages at the start that only place orders that do not cross. */
  opening: number;
  /** Prices are within `spread` ticks of this one. */
  middle: number;
  spread: number;
  maxQuantity: number;
}

/** A million price levels, with prices and amounts up to 2^53 - 1. */
export const wide: Flow = {
  seed: 11,
  messages: 3_000_000,
  opening: 1_000_000,
  middle: 2 ** 52,
  spread: 2 ** 52 - 1,
  maxQuantity: 2 ** 53 - 1,
};

/**
 * Generates a mix of new, cancel and modify messages that keeps the number of resting orders about
 * constant. A quarter of the prices after the opening cross the middle. Ids of canceled orders are
 * reused, and some messages name orders that have ended or never existed.
 */
export function generate(flow: Flow): Workload {
  const random = seededRandom(flow.seed);
  const workload = new Workload(flow.messages);
  /** Ids that may rest, and ids that cannot. */
  const placed: number[] = [];
  const free: number[] = [];
  let nextId = 1;
  for (let sequence = 0; sequence < flow.messages; sequence++) {
    const isOpening = sequence < flow.opening;
    const side = below(2, random);
    const message: Message = {
      request: isOpening ? Request.place : makeRequest(below(100, random)),
      side,
      immediateOrCancel: !isOpening && below(8, random) === 0,
      sequence,
      id: nextId,
      price: price(flow, side, !isOpening && below(4, random) === 0, random),
      quantity: 1 + wholeBelow(flow.maxQuantity, random),
    };
    if (message.request === Request.place) {
      message.id = (below(4, random) === 0 ? free.pop() : undefined) ?? nextId++;
      placed.push(message.id);
    } else {
      message.immediateOrCancel = false;
      const index = below(placed.length + 1, random);
      message.id = placed[index] ?? nextId;
      if (message.request === Request.cancel && index < placed.length) {
        placed[index] = placed[placed.length - 1]!;
        placed.pop();
        free.push(message.id);
      }
    }
    workload.set(sequence, message);
  }
  return workload;
}

function makeRequest(percent: number): Request {
  if (percent < 55) return Request.place;
  return percent < 80 ? Request.cancel : Request.modify;
}

function price(flow: Flow, side: number, crosses: boolean, random: Random): number {
  const offset = wholeBelow(flow.spread, random) + (crosses ? 0 : 1);
  return (side === 0) === crosses ? flow.middle + offset : flow.middle - offset;
}

/** Like `below`, for limits up to 2^53. */
function wholeBelow(limit: number, random: Random): number {
  return (below(2 ** 21, random) * 2 ** 32 + below(2 ** 32, random)) % limit;
}
