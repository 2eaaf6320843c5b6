import type { Bug } from './bug.ts';

/** The serving replica, the archivist and history: answers, events and stored rows. */
export const replicaBugs: readonly Bug[] = [
  {
    name: 'one hanging query to PostgreSQL ends other queries',
    file: 'src/history/database/postgres-database.ts',
    text: 'void connection?.close({ timeout: 0 });',
    becomes: 'void this.sql.close({ timeout: 0 });\n      this.sql = this.connect();',
    catcher: {
      file: 'test/cluster/postgres-database.test.ts',
      test: 'fails alone if its session does not respond',
    },
  },
  {
    name: 'a query that takes too long keeps running in PostgreSQL',
    file: 'src/history/database/postgres-database.ts',
    text: 'statement_timeout: QUERY_TIMEOUT_MS,',
    becomes: 'statement_timeout: COMMIT_TIMEOUT_MS,',
    catcher: {
      file: 'test/cluster/postgres-database.test.ts',
      test: 'its connection stays usable',
    },
  },
  {
    name: 'an unknown fill level of the log is not reported',
    file: 'src/cluster/stream/fill-level.ts',
    text: 'if (!this.isStopped) this.noteFailure(error as Error);',
    becomes: 'void error;',
    catcher: {
      file: 'test/cluster/stream-fill.test.ts',
      test: 'a fill level that cannot be read causes one warning:',
    },
  },
  {
    name: 'an answer is given before the command is durable',
    file: 'src/replica/replica.ts',
    text: 'this.waiting.add(command, reply, onError);',
    becomes: "this.waiting.add(command, () => {}, onError);\n      reply({ kind: 'done' });",
    catcher: 'simulator',
  },
  {
    name: 'the answers of a batch are given in the wrong order',
    file: 'src/replica/replica.ts',
    text: 'replies[index]!(outcome, batch, index);',
    becomes: 'replies[commands.length - 1 - index]!(outcome, batch, index);',
    catcher: 'simulator',
  },
  {
    name: 'the last command of a batch is not answered',
    file: 'src/replica/replica.ts',
    text: 'replies[index]!(outcome, batch, index);',
    becomes:
      'if (index === 0 || index < commands.length - 1) replies[index]!(outcome, batch, index);',
    catcher: 'simulator',
  },
  {
    name: 'only the first command of a batch is reported to the streams',
    file: 'src/replica/replica.ts',
    text: 'this.noteApplied();\n      metrics',
    becomes: 'if (index === 0) this.noteApplied();\n      metrics',
    catcher: 'simulator',
  },
  {
    name: 'commands are applied at the time of the clock, not of their batch',
    file: 'src/replica/replica.ts',
    text: 'const outcome = applyCommand(exchange, batch, index, commands[index]!);',
    becomes:
      'const outcome = applyCommand(exchange, { ...batch, time: this.options.now() }, index, commands[index]!);',
    catcher: 'simulator',
  },
  {
    name: 'the node continues after a write to the log has failed',
    file: 'src/replica/replica.ts',
    text: '.catch((error) => this.fail(error))',
    becomes: '.catch(() => { this.isAppending = false; })',
    catcher: 'simulator',
  },
  {
    name: 'a stop does not wait for commands in flight',
    file: 'src/replica/replica.ts',
    text: 'if (this.isAppending && !this.isStopped) {\n      const idle',
    becomes: 'if (this.isAppending && this.isStopped) {\n      const idle',
    catcher: 'simulator',
  },
  {
    name: 'the archivist is ahead of the sync',
    file: 'src/replica/replica.ts',
    text: 'const { position: sequence, hash } = this;',
    becomes:
      'const { position: sequence, hash } = this;\n    const at = this.options.now();\n    const ahead = { sequence: sequence + 1, time: at, count: sent.commands.length, payload: sent.payload, hash };\n    this.options.archivist.deliver(ahead, this.exchange.state.digest, at);',
    catcher: 'simulator',
  },
  {
    name: 'a batch has no byte bound',
    file: 'src/replica/waiting.ts',
    text: 'this.count > MAX_BATCH_COMMANDS || queue.bytes > maxBytes',
    becomes: 'this.count > MAX_BATCH_COMMANDS',
    catcher: 'simulator',
  },
  {
    name: 'a batch that is divided takes one command too many',
    file: 'src/replica/waiting.ts',
    text: 'if (bytes > maxBytes || count === MAX_BATCH_COMMANDS) break;\n      isChosen[index] = 1;',
    becomes:
      'isChosen[index] = 1;\n      if (bytes > maxBytes || count === MAX_BATCH_COMMANDS) break;',
    catcher: 'simulator',
  },
  {
    name: 'a divided queue forgets the commands that stay',
    file: 'src/replica/waiting.ts',
    text: 'this.queue = rest;',
    becomes: 'this.queue = new Queue();',
    catcher: 'simulator',
  },
  {
    name: 'commands of one account overtake each other',
    file: 'src/replica/waiting.ts',
    text: 'this.newestDues[index] = due;',
    becomes: '',
    catcher: {
      file: 'src/replica/waiting.test.ts',
      test: 'each payload encodes its commands, and those of an account keep their order',
    },
  },
  {
    name: 'many commands of one account delay all others',
    file: 'src/replica/waiting.ts',
    text: '(due, index) => (due - this.served) * INDEX_RANGE + index',
    becomes: '(_, index) => index',
    catcher: {
      file: 'src/replica/bounds.test.ts',
      test: 'a command of another account overtakes a backlog of bulk cancels',
    },
  },
  {
    name: 'a full writer is used again while commands wait in it',
    file: 'src/replica/waiting.ts',
    text: 'this.changeWriter(new ByteWriter(FULL_WRITER_BYTES));',
    becomes: 'this.changeWriter(this.writer);',
    catcher: {
      file: 'src/replica/waiting.test.ts',
      test: 'each payload encodes its commands, and those of an account keep their order',
    },
  },
  {
    name: 'commands of one account wait without a bound',
    file: 'src/replica/waiting.ts',
    text: 'if (account !== NONE && due - this.served > MAX_BACKLOG_UNITS) throw new AccountBacklogError();',
    becomes: '',
    catcher: {
      file: 'src/replica/bounds.test.ts',
      test: 'the backlog of one account is bounded, and only that account is rejected',
    },
  },
  {
    name: 'the archivist skips a batch',
    file: 'src/archivist/archive.ts',
    text: 'const isNew = sequence > this.recorded.sequence;',
    becomes: 'const isNew = sequence > this.recorded.sequence + 1;',
    catcher: 'simulator',
  },
  {
    name: 'the archivist records a batch again that history holds',
    file: 'src/archivist/archive.ts',
    text: 'const isNew = sequence > this.recorded.sequence;',
    becomes: 'const isNew = batch.sequence >= this.recorded.sequence;',
    catcher: 'simulator',
  },
  {
    name: 'history says that it holds a batch more than it does',
    file: 'src/history/history.ts',
    text: 'await this.commitTo(latest);',
    becomes: 'await this.commitTo({ ...latest, sequence: latest.sequence + 1 });',
    catcher: 'simulator',
  },
  {
    name: 'the archivist begins at a snapshot that history has not come to',
    file: 'src/archivist/file-archive.ts',
    text: 'loadNewest(snapshots, limit, warn)',
    becomes: 'loadNewest(snapshots, undefined, warn)',
    catcher: 'simulator',
  },
  {
    name: 'the reads of one account are all answered before those of others',
    file: 'src/archivist/query-queue.ts',
    text: 'this.groups.delete(group);\n      if (queries.length > 0) this.groups.set(group, queries);',
    becomes: 'if (queries.length === 0 && !pending.steps) this.groups.delete(group);',
    catcher: {
      file: 'src/archivist/archivist-thread.test.ts',
      test: 'one query of every group is answered',
    },
  },
  {
    name: 'no batch is applied while reads wait',
    file: 'src/archivist/archivist-thread.ts',
    text: 'const until = performance.now() + (isLagging ? 0 : TURN_MS);',
    becomes: 'const until = isLagging ? 0 : Number.POSITIVE_INFINITY;',
    catcher: {
      file: 'src/archivist/archivist-thread.test.ts',
      test: 'batches are applied between two steps',
    },
  },
  {
    name: 'the unanswered reads of one account are not bounded',
    file: 'src/archivist/read-limits.ts',
    text: 'throw new HistoryBacklogError();',
    becomes: '{}',
    catcher: {
      file: 'src/archivist/worker-archivist.test.ts',
      test: 'too many unanswered reads of an account are rejected',
    },
  },
  {
    name: 'a history of another log is taken',
    file: 'src/archivist/archive.ts',
    text: 'if (sequence !== this.recorded.sequence || equalHashes(hash, this.recorded.hash)) return;',
    becomes: 'if (sequence !== this.recorded.sequence || hash.length === 32) return;',
    catcher: {
      file: 'src/archivist/archive.test.ts',
      test: 'a history of another log is rejected',
    },
  },
  {
    name: 'a history ahead of the log is taken',
    file: 'src/archivist/archive.ts',
    text: 'if (archive.position < recorded.sequence) {',
    becomes: 'if (archive.position < 0) {',
    catcher: {
      file: 'src/archivist/archive.test.ts',
      test: 'a history ahead of the log is rejected',
    },
  },
  {
    name: "the archivist does not look whether the replica's state is its own",
    file: 'src/archivist/archive.ts',
    text: 'if (position !== this.position || digest === this.exchange.state.digest) return;',
    becomes: 'if (position >= 0) return;',
    catcher: {
      file: 'src/archivist/archive.test.ts',
      test: 'a state that differs in one bit is found',
    },
  },
  {
    name: 'the position of history moves apart from its rows',
    file: 'src/history/database/sqlite-database.ts',
    text: "if (this.sqlite.inTransaction) this.sqlite.run('ROLLBACK');",
    becomes: "if (this.sqlite.inTransaction) this.sqlite.run('COMMIT');",
    catcher: { file: 'src/history/history.test.ts', test: 'a commit that fails half-way' },
  },
  {
    name: 'two writers write one history',
    file: 'src/history/writer/writer.ts',
    text: 'if (changed !== 1) throw new HistoryConflictError(from.sequence);',
    becomes: '',
    catcher: {
      file: 'src/history/history.test.ts',
      test: 'the second of two writers of one database is rejected and writes nothing',
    },
  },
  {
    name: "the taker's fill is in no history",
    file: 'src/history/writer/pending.ts',
    text: 'this.fills.add(taker);',
    becomes: '',
    catcher: 'simulator',
  },
  {
    name: "history says that the maker paid the taker's fee",
    file: 'src/history/tables/fills.ts',
    text: 'fee: trade.makerFee,',
    becomes: 'fee: trade.takerFee,',
    catcher: 'simulator',
  },
  {
    name: 'an order that was canceled is in no history',
    file: 'src/history/writer/pending.ts',
    text: "} else if (event.kind === 'order' && event.status !== OrderStatus.open) {",
    becomes:
      "} else if (event.kind === 'order' && event.status !== OrderStatus.open && event.status !== OrderStatus.canceled) {",
    catcher: 'simulator',
  },
  {
    name: 'ledger entries that are kept lose what was available after them',
    file: 'src/history/tables/entries.ts',
    text: "after: money('available_after'),",
    becomes: "after: { ...money('available_after'), write: () => '0' },",
    catcher: 'simulator',
  },
  {
    name: 'a commit keeps what it has written, and writes it again',
    file: 'src/history/history.ts',
    text: 'this.waiting.rows = new PendingRows();\n',
    becomes: '',
    catcher: 'simulator',
  },
];
