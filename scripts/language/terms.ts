/** A retired term, and what to write in its place. */
export interface RetiredTerm {
  /** Matched as whole words, in any case, unless it has capitals. */
  readonly pattern: string;
  readonly instead: string;
  /**
   * The texts in which it is looked for: `prose` is comments, strings and documents, `code` is identifiers (parts of camel case
   * too), `all` is both.
   */
  readonly where: 'prose' | 'code' | 'all';
}

/** The terms of the exchange's first release that its readers had to translate. Add to it. */
export const RETIRED_TERMS: readonly RetiredTerm[] = [
  { pattern: 'people|persons?', instead: 'user', where: 'all' },
  { pattern: 'holders?', instead: 'user, owner, caller', where: 'code' },
  {
    pattern: 'nobody|somebody|anybody|whoever|whosoever',
    instead: 'no one, the client, the caller',
    where: 'all',
  },
  { pattern: 'told|tells?', instead: 'notified, delivered, reported, returns', where: 'all' },
  { pattern: 'anew', instead: 'again, rebuild', where: 'all' },
  { pattern: 'for ever', instead: 'permanently', where: 'prose' },
  { pattern: 'goes on|go on|went on', instead: 'continues', where: 'prose' },
  { pattern: 'meanwhile', instead: 'in the meantime, or nothing', where: 'prose' },
  { pattern: 'besides?', instead: 'in addition, next to', where: 'prose' },
  { pattern: 'put back', instead: 'restore', where: 'prose' },
  { pattern: 'mend(?:s|ed|ing)?', instead: 'fix', where: 'all' },
  { pattern: 'pass(?:es|ed|ing)? over', instead: 'skip, ignore', where: 'prose' },
  {
    pattern: 'many nodes|nodes? of many|shared log|one node alone',
    instead: 'cluster, clustered log, single node',
    where: 'prose',
  },
  { pattern: 'signs? of life', instead: 'heartbeat', where: 'prose' },
  { pattern: 'out of reach', instead: 'unreachable', where: 'prose' },
  { pattern: 'came to be|come to be|comes to be', instead: 'took effect', where: 'prose' },
  {
    pattern: 'CommandUndoneError|undone',
    instead: 'not applied, CommandNotAppliedError',
    where: 'all',
  },
  { pattern: 'comes? alive|came alive', instead: 'is activated', where: 'prose' },
  { pattern: 'waits? for (?:a|its|the) trigger', instead: 'pending trigger', where: 'prose' },
  { pattern: 'vacated?|forgone', instead: 'freed, skipped quantity', where: 'all' },
  { pattern: '(?:MOST|LEAST|LONGEST|SHORTEST)_[A-Z0-9_]+', instead: 'MAX_, MIN_', where: 'code' },
  { pattern: 'at the door|lets? in', instead: 'unauthenticated, authorize', where: 'prose' },
  { pattern: 'admission|admit(?:s|ted)?', instead: 'authorization, authorize', where: 'all' },
  { pattern: 'whims?|desk', instead: 'random flow, quoter', where: 'all' },
  { pattern: 'house', instead: 'market makers', where: 'all' },
  {
    pattern: 'Foundation|Ground|Following|Continuity|RenewedArchivist|SharedLog',
    instead:
      'NodeCore, NodeContext, ResilientConsumer, ContinuityCheck, RestartableArchivist, ClusteredLog',
    where: 'code',
  },
  {
    pattern: 'patiently|isOfTwin|leaveSilent|UNASKED|NOBODY',
    instead:
      'retryTransient, isDuplicateIncarnation, reconnectWhenSilent, SKIP_API_CHECK, SYSTEM_ACTOR',
    where: 'code',
  },
  {
    pattern: 'bringAttached|roomless|putDown|misplaced|lackOfFunds',
    instead:
      'activateBrackets, tooManyOpenOrders, addOpenOrder, bracketOnWrongSide, insufficientFunds',
    where: 'code',
  },
  // Names of JavaScript, of JSON Schema, and operation ids, which clients call, are exempt.
  {
    pattern:
      '(?!(?:i|lastI)ndexOf|(?:all|any|one|value|getPrototype|setPrototype|toBeInstance|cancelOrders|listOpenOrders)Of)[a-z][A-Za-z]*[a-z]Of',
    instead: 'a verb or a noun phrase: toFills, findHeap, countBytes, accountOrdersPath',
    where: 'code',
  },
  {
    pattern: 'mustAskHistory|NotThereError|SpareDescriptors|OffGrid|isBehind|takeBack|makeRoom',
    instead:
      'needsHistory, NotFoundError, ReservedDescriptors, GridError, isLagging, retract, freeCapacity',
    where: 'code',
  },
  {
    pattern: 'MissedEvents|missedEvents|missedTrades|SIMULATION_LIVES',
    instead: 'BackfillPage, backfillAccount, backfillTrades, SIMULATION_RUNS',
    where: 'code',
  },
  { pattern: 'heard|said', instead: 'received, output, message', where: 'code' },
  { pattern: 'journal', instead: 'logger', where: 'all' },
  {
    pattern: 'witness|disturbances|doomed|astray|JudgeOfEnds',
    instead: 'state checker, fault injector, rewound, on a lost log, ExitPolicy',
    where: 'all',
  },
];

/**
 * Places where a retired term stays, with the reason. The file is a prefix of a path from the root.
 */
export const EXCEPTIONS: readonly { file: string; pattern: string; reason: string }[] = [
  {
    file: 'src/users/',
    pattern: 'people|persons?',
    reason: 'tables of the user database, whose names stay',
  },
  ...['src/gateway/openapi/user-schemas.ts', 'src/client/api/operator-records.ts'].map((file) => ({
    file,
    pattern: 'people|persons?',
    reason: 'the field personId of the audit, which clients read',
  })),
  ...[
    'src/sandbox/credentials-file.ts',
    'test/credentials-file.test.ts',
    'test/process/users.test.ts',
    'test/planted/bugs-command-line.ts',
  ].map((file) => ({
    file,
    pattern: 'people|persons?',
    reason: 'the field people of sandbox.json, as older releases wrote it',
  })),
  {
    file: 'simulation/cluster/link.ts',
    pattern: 'goes on|go on|went on',
    reason: 'the label of a scheduled step is hashed into the traces of all seeds',
  },
];
