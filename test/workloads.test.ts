import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Flow, generate } from './reference/generated.ts';
import { naiveReport } from './reference/naive-book.ts';
import { Replay, reportSpace } from './reference/replay.ts';
import { Request, readWorkload, Workload } from './reference/workload.ts';

const root = join(import.meta.dir, '..');

/** The directory of the published workloads, which are not part of the repository. */
const folder = process.env.BUTTONWOOD_WORKLOADS ?? join(root, '..', 'shared', 'workloads');

const published = {
  'normal-s7-100k.bin.gz': '99070bf220482ac06c7059c1e169baab18e47dfa0121ee57b15b6bd21be3d668',
  'static-s7-100k.bin.gz': 'f360e2f206750539d109b613b18b48d3a9eaa42c22721734480189c394b14865',
  'swing-40-s7-100k.bin.gz': '4dde39db2ef4dddac82ce2efa1a6b97119fbd93da2283f7391b35b14306e418b',
  'flash-crash-s7-100k.bin.gz': '6395d5131f2c09c03c542ccebee609503279ae2f9f22457f2c483d6b72191aa8',
};

const most = Number.MAX_SAFE_INTEGER;
const generated: Record<string, { flow: Flow; sha256: string }> = {
  'few prices, long queues': {
    flow: { seed: 1, messages: 4000, opening: 100, middle: 50, spread: 4, maxQuantity: 20 },
    sha256: '1b9b6e3b60cbe452be94c7938f69f27f88c87a966f7b4b45670ee3d8fd45b0d3',
  },
  'many prices, short queues': {
    flow: { seed: 2, messages: 4000, opening: 800, middle: 9000, spread: 3000, maxQuantity: 100 },
    sha256: '9f5c01332808fd6c1cffe1f5d2de635269d532a04b502281decac45a4a9b897a',
  },
  'takers that sweep': {
    flow: { seed: 3, messages: 4000, opening: 300, middle: 200, spread: 90, maxQuantity: 4000 },
    sha256: '967096b8f2d7a2a556ee99654eab6328d393f9ca2eb609e144734f1efd1a3a3f',
  },
  'prices and amounts up to 2^53 - 1': {
    flow: {
      seed: 4,
      messages: 4000,
      opening: 300,
      middle: 2 ** 52,
      spread: 2 ** 52 - 1,
      maxQuantity: most,
    },
    sha256: '991e7d5e5b946ea1438affee6e259fac357e2b120fd8feeca8fa2828338f427f',
  },
};

function report(workload: Workload): string {
  const replay = new Replay(workload, reportSpace(workload));
  replay.run();
  return replay.text();
}

function sha256(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex');
}

describe('a workload written by hand', () => {
  type Row = [request: Request, side: number, id: number, price: number, quantity: number];
  const { place, cancel, modify } = Request;
  const [buy, sell] = [0, 1];
  const rows: [...Row, ioc?: 'ioc'][] = [
    [place, sell, 1, 101, 5],
    [place, sell, 2, 101, 5],
    [place, sell, 3, 102, 5],
    [place, buy, 4, 100, 7],
    // Trades with the earliest order at the best price first, at the makers' prices; the remainder rests.
    [place, buy, 5, 102, 12],
    [cancel, sell, 1, 0, 0],
    // Keeps its id and side, loses its place, and may trade at once.
    [place, sell, 6, 102, 4],
    [modify, sell, 3, 102, 3],
    [place, buy, 1, 102, 5],
    [modify, sell, 3, 100, 9],
    [place, sell, 7, 99, 10, 'ioc'],
    [modify, buy, 7, 99, 1],
    [place, buy, 8, 98, 1],
    [place, sell, 9, 1, 3, 'ioc'],
    [place, buy, 10, 98, 2, 'ioc'],
    [cancel, buy, 4, 0, 0],
    [cancel, sell, 3, 0, 0],
  ];
  const workload = Workload.of(
    rows.map(([request, side, id, price, quantity, ioc], sequence) => {
      const immediateOrCancel = ioc !== undefined;
      return { request, side, immediateOrCancel, sequence, id, price, quantity };
    }),
  );
  const expected = [
    '0,0,1,1,101,5',
    '0,1,1,2,101,5',
    '0,2,1,3,102,5',
    '0,3,0,4,100,7',
    '0,4,0,5,102,12',
    '1,4,101,5,1,5',
    '1,4,101,5,2,5',
    '1,4,102,2,3,5',
    '4,5,1',
    '0,6,1,6,102,4',
    '3,7,1,3,102,3',
    '0,8,0,1,102,5',
    '1,8,102,4,6,1',
    '1,8,102,1,3,1',
    '1,9,100,7,4,3',
    '3,9,1,3,100,9',
    '0,10,1,7,99,10',
    '2,10,1,7,99',
    '5,11,7',
    '0,12,0,8,98,1',
    '0,13,1,9,1,3',
    '1,13,98,1,8,9',
    '2,13,1,9,1',
    '0,14,0,10,98,2',
    '2,14,0,10,98',
    '4,15,4',
    '2,16,1,3,100',
  ].join('\n');

  test('gives the report in the adjacent file', () => {
    expect(report(workload)).toBe(expected);
  });

  test('gives the same from the naive book', () => {
    expect(naiveReport(workload)).toBe(expected);
  });

  test('reads the same from the binary format', () => {
    expect(report(readWorkload(encoded(workload)))).toBe(expected);
  });
});

describe('generated workloads', () => {
  test.each(Object.entries(generated))('%s', (_, { flow, sha256: expected }) => {
    const workload = generate(flow);
    const text = report(workload);
    expect(text).toBe(naiveReport(workload));
    expect(sha256(text)).toBe(expected);
  });
});

describe('published workloads', () => {
  const present = Object.entries(published).filter(([name]) => existsSync(join(folder, name)));
  const absent = Object.keys(published).length - present.length;
  if (absent > 0) {
    console.warn(
      `${absent} of the published workloads are not present; set BUTTONWOOD_WORKLOADS to their directory. Only the small ones are tested.`,
    );
  }
  for (const [name, expected] of present) {
    test(name, async () => {
      const bytes = await Bun.file(join(folder, name)).bytes();
      expect(sha256(report(readWorkload(gunzipSync(bytes))))).toBe(expected);
    });
  }
});

test('a truncated or malformed file is rejected', () => {
  const bytes = encoded(generate({ ...generated['takers that sweep']!.flow, messages: 20 }));
  expect(() => readWorkload(bytes.subarray(0, 100))).toThrow('Not a workload');
  expect(() => readWorkload(bytes.subarray(0, 3))).toThrow('Not a workload');
  bytes[16] = 3;
  expect(() => readWorkload(bytes)).toThrow('Message 0 is out of range');
});

/** Encodes the binary format that `readWorkload` reads. */
function encoded(workload: Workload): Uint8Array {
  const view = new DataView(new ArrayBuffer(16 + workload.count * 40));
  view.setUint32(12, workload.count, true);
  for (let index = 0; index < workload.count; index++) {
    const message = workload.get(index);
    const at = 16 + index * 40;
    view.setUint8(at, message.request);
    view.setUint8(at + 1, message.side);
    view.setUint8(at + 2, message.immediateOrCancel ? 1 : 0);
    view.setUint32(at + 4, message.quantity, true);
    view.setBigUint64(at + 8, BigInt(message.sequence), true);
    view.setBigUint64(at + 16, BigInt(message.id), true);
    view.setBigInt64(at + 24, BigInt(message.price), true);
  }
  return new Uint8Array(view.buffer);
}
