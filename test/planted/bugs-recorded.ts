import type { Bug } from './bug.ts';

const READING = 'src/sandbox/recorded/recording.test.ts';
const PLAYING = 'src/sandbox/recorded/player.test.ts';
const FOLDER = 'src/sandbox/recorded';

/** The recorded markets of a sandbox. */
export const recordedBugs: readonly Bug[] = [
  {
    name: 'a recorded file that was cut within its last number is played',
    file: `${FOLDER}/scan.ts`,
    text: 'if (isComplete) return this.parse!(text);',
    becomes: 'return this.parse!(text);',
    catcher: { file: READING, test: 'cut at any byte is rejected, except between lines' },
  },
  {
    name: 'a recorded zip archive with other bytes than its checksum says is played',
    file: `${FOLDER}/file-bytes.ts`,
    text: 'if (checksum !== member.crc32)',
    becomes: 'if (checksum === 0)',
    catcher: { file: READING, test: 'packed files cut at any byte' },
  },
  {
    name: 'recorded rows may go back in time',
    file: `${FOLDER}/scan.ts`,
    text: 'if (time < this.previousTime) {',
    becomes: 'if (time < this.firstTime) {',
    catcher: { file: READING, test: 'reports the row' },
  },
  {
    name: 'the decimals of a recorded number are those of the file, zeros included',
    file: `${FOLDER}/decimal.ts`,
    text: "match[1]?.endsWith('0') ? literal.replace(ZEROS_AT_END, '') : literal",
    becomes: 'literal',
    catcher: { file: READING, test: 'reads every format' },
  },
  {
    name: 'recorded prices are rounded down to the tick',
    file: `${FOLDER}/decimal.ts`,
    text: '(2 * rest >= divisor ? 1 : 0)',
    becomes: '0',
    catcher: { file: READING, test: 'rounded to the nearest' },
  },
  {
    name: 'the side of a recorded aggregate trade is that of the maker',
    file: `${FOLDER}/binance-formats.ts`,
    text: 'side: isBuyerMaker ? Side.sell : Side.buy,',
    becomes: 'side: isBuyerMaker ? Side.buy : Side.sell,',
    catcher: { file: READING, test: 'reads every format' },
  },
  {
    name: 'a recorded kline loses the rest of its volume',
    file: `${FOLDER}/events.ts`,
    text: 'index === trades - 1 ? volume - part * (trades - 1) : part',
    becomes: 'part',
    catcher: { file: READING, test: 'its prices and its volume' },
  },
  {
    name: 'markets of a recording are played one after another',
    file: `${FOLDER}/events.ts`,
    text: 'if (first === -1 || value.time < next[first]!.value!.time) first = index;',
    becomes: 'if (first === -1) first = index;',
    catcher: { file: READING, test: 'in order of time' },
  },
  {
    name: 'quotes of the maker trade in place of a recorded trade',
    file: `${FOLDER}/trade-player.ts`,
    text: 'if (orderIds.length > 0) submit(cancelIn(maker, market, { orderIds }));',
    becomes: '',
    catcher: { file: PLAYING, test: 'every recorded trade is printed' },
  },
  {
    name: 'an update of a recorded level counts as its total amount',
    file: `${FOLDER}/book-player.ts`,
    text: 'amount: filled + remaining,',
    becomes: 'amount: remaining,',
    catcher: { file: PLAYING, test: 'the next update of the level wins' },
  },
  {
    name: 'a recorded snapshot keeps the levels that it does not have',
    file: `${FOLDER}/book-player.ts`,
    text: 'for (const [key, { side, price }] of open) this.changed.set(key, { side, price, amount: 0 });',
    becomes: '',
    catcher: { file: PLAYING, test: 'book levels are kept' },
  },
  {
    name: 'a recorded cancel at the time of its order is lost',
    file: `${FOLDER}/order-player.ts`,
    text: 'this.placed.get(id) ?? this.findOwner(id)',
    becomes: 'this.findOwner(id)',
    catcher: { file: PLAYING, test: 'matched by the engine, also after a restart' },
  },
  {
    name: 'recorded events of the present are played again after a restart',
    file: `${FOLDER}/player.ts`,
    text: 'const isResumed = state.nextOrderId > 1;',
    becomes: 'const isResumed = false;',
    catcher: { file: PLAYING, test: 'recorded trades continue after a restart' },
  },
  {
    name: 'the makers keep their quotes after the end of a recording',
    file: `${FOLDER}/player.ts`,
    text: 'submit(cancelIn(account.index, market, {}));',
    becomes: '',
    catcher: { file: PLAYING, test: 'then the makers stop' },
  },
];
