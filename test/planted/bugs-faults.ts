import type { Bug } from './bug.ts';

const requests = (test: string) => ({ file: 'test/faults/requests.test.ts', test });
const streams = (test: string) => ({ file: 'test/faults/streams.test.ts', test });
const slow = (test: string) => ({ file: 'test/faults/slow-fills.test.ts', test });
const scripts = (test: string) => ({ file: 'test/faults/scripts.test.ts', test });
const engine = (test: string) => ({ file: 'src/sandbox/faults/engine.test.ts', test });
const MODEL = 'are those of a model';

/** The faults of a sandbox. */
export const faultBugs: readonly Bug[] = [
  {
    name: 'a request whose answer is lost before the commit is carried out',
    file: 'src/gateway/faults/request-faults.ts',
    text: '  if (!isLostBefore) {',
    becomes: '  if (response === undefined) {',
    catcher: { file: 'test/faults/state.test.ts', test: 'the state is that of the requests' },
  },
  {
    name: 'an answer that should be lost is sent',
    file: 'src/gateway/faults/request-faults.ts',
    text: "const isLost = isLostBefore || kind === 'answer_lost_after_commit';",
    becomes: 'const isLost = isLostBefore;',
    catcher: requests('after commit: the order is open'),
  },
  {
    name: 'the endpoints that control faults have faults',
    file: 'src/gateway/faults/occasions.ts',
    text: '  return !isOperatorAccess(access) && isUserEndpoint !== true',
    becomes: '  return isUserEndpoint !== true',
    catcher: scripts('a script for all leaves the control alone'),
  },
  {
    name: 'a stale read is the present answer',
    file: 'src/gateway/faults/request-faults.ts',
    text: "const body = kind === 'stale_read' ? (older ?? answer) : answer;",
    becomes: 'const body = answer;',
    catcher: requests('a stale read is the answer'),
  },
  {
    name: 'the window of a request is checked by the clock that has no skew',
    file: 'src/gateway/auth/signatures.ts',
    text: '  const sentAt = timestamp - skewMs;',
    becomes: '  const sentAt = timestamp;',
    catcher: requests('a skewed clock shows its time'),
  },
  {
    name: 'a market that a script halted stays halted when the script is removed',
    file: 'src/sandbox/faults/faults.ts',
    text: '    await this.halts.end(id);',
    becomes: '    await Promise.resolve(id);',
    catcher: requests('a market is halted for a time'),
  },
  {
    name: 'sockets stay open in a maintenance',
    file: 'src/gateway/faults/socket-faults.ts',
    text: '      if (hit !== undefined) this.endFor(hit, socket, faulty);',
    becomes: '',
    catcher: requests('maintenance has an end'),
    isSilence: true,
  },
  {
    name: 'every fault of a script draws from one generator of the same seed',
    file: 'src/sandbox/faults/engine.ts',
    text: '+ index * 0x9e3779b1) >>> 0',
    becomes: ') >>> 0',
    catcher: engine(MODEL),
  },
  {
    name: 'a fault happens once more than its count',
    file: 'src/sandbox/faults/engine.ts',
    text: 'injected + reserved >= count',
    becomes: 'injected + reserved > count',
    catcher: engine(MODEL),
  },
  {
    name: 'requests at once have a fault more often than its count',
    file: 'src/sandbox/faults/engine.ts',
    text: 'injected + reserved >= count',
    becomes: 'injected >= count',
    catcher: requests('a count is a maximum'),
  },
  {
    name: 'a stale read is the answer for another',
    file: 'src/gateway/faults/occasions.ts',
    text: 'JSON.stringify([caller ?? null, name, parameters])',
    becomes: 'JSON.stringify([name, parameters])',
    catcher: requests('a stale read is never an answer for another'),
  },
  {
    name: 'a stale read without an older answer counts',
    file: 'src/gateway/faults/request-faults.ts',
    text: '  else if (outcome !== undefined) faults.release(outcome);',
    becomes: '',
    catcher: requests('what does not happen does not count'),
  },
  {
    name: 'a schedule includes its end',
    file: 'src/sandbox/faults/schedule.ts',
    text: 'now >= until',
    becomes: 'now > until',
    catcher: engine(MODEL),
  },
  {
    name: 'the last star of a pattern stands for no text',
    file: 'src/sandbox/faults/patterns.ts',
    text: '!name.endsWith(last)',
    becomes: 'last !== name.slice(first.length)',
    catcher: engine('patterns fit as the regular expression'),
  },
  {
    name: 'the messages of topics bypass the faults',
    file: 'src/gateway/faults/faulty-socket.ts',
    text: 'for (const topic of this.topics) (isWatched ? unsubscribe : subscribe)(topic);',
    becomes: 'for (const topic of this.topics) subscribe(topic);',
    catcher: streams('a gap shows in the sequences'),
  },
  {
    name: 'snapshots have the faults of updates',
    file: 'src/gateway/faults/message-names.ts',
    text: String.raw`const UPDATE = /^\{"op":"update","channel":"(\w+)"/;`,
    becomes: String.raw`const UPDATE = /^\{"op":"\w+","channel":"(\w+)"/;`,
    catcher: streams('snapshots and answers of operations'),
    isSilence: true,
  },
  {
    name: 'a script for an account concerns the streams of all',
    file: 'src/sandbox/faults/engine.ts',
    text: '  return account === undefined || occasion.account === account;',
    becomes: '  return account !== null;',
    catcher: requests('an account that may not place orders'),
  },
  {
    name: 'the list of open orders lacks those whose fills are not reported yet',
    file: 'src/gateway/faults/reports.ts',
    text: '  return [...missing, ...orders]',
    becomes: '  return [...orders]',
    catcher: slow('the own API shows an open order'),
  },
  {
    name: 'balances show a fill that is not reported yet',
    file: 'src/gateway/endpoints/portfolio.ts',
    text: '{ balances: showBalances(call) }',
    becomes: 'call.account',
    catcher: slow('the own API shows an open order'),
  },
  {
    name: 'a cached answer hides a report that has arrived',
    file: 'src/gateway/endpoints/endpoints.ts',
    text: 'return late === 0 ? changes',
    becomes: 'return late >= 0 ? changes',
    catcher: slow('the own API shows an open order'),
  },
  {
    name: 'private messages do not wait for the report',
    file: 'src/gateway/faults/faulty-socket.ts',
    text: 'const isHeld = this.held.length > 0 ||',
    becomes: 'const isHeld = this.held.length > 1 &&',
    catcher: slow('private streams report the fill later'),
  },
  {
    name: 'the answers of an earlier script are remembered',
    file: 'src/sandbox/faults/faults.ts',
    text: "if (!this.engine.has('read')) this.olderAnswers.clear();",
    becomes: '',
    catcher: requests('a stale read is not older than its script'),
  },
];
