import type { RequestApproval } from '../command.ts';
import { type ElementHashes, mix } from '../digest.ts';
import type { Event } from '../event.ts';
import { APPROVAL_LIFETIME_MS, MAX_CLOSED_APPROVALS } from '../limits.ts';
import { type ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { invariant } from '../rejection.ts';
import { NONE } from '../terms.ts';
import { type ApprovalPolicy, NO_POLICY } from './approval-policy.ts';
import { fromCommandBytes, toCommandBytes } from './command-bytes.ts';
import {
  type ApprovalRequest,
  type ApprovalStatus,
  approvalStatuses,
  type Decision,
} from './records.ts';

/** The rest of the state, as far as approvals need it. */
interface ApprovalState extends ElementHashes {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly events: Event[];
}

/** The state part of the approval policy, the pending requests and the newest closed ones. */
export class Approvals {
  readonly id = 60;
  policy: ApprovalPolicy = NO_POLICY;
  private nextId = 1;
  /** In ascending order of their ids, which is also that of their expiries. */
  private readonly waiting = new Map<number, ApprovalRequest>();
  /** In the order of their decisions. */
  private readonly ended: ApprovalRequest[] = [];

  constructor(private readonly state: ApprovalState) {}

  get isEmpty(): boolean {
    return this.nextId === 1 && this.policy.actions === 0;
  }

  /** When the oldest request expires, in milliseconds since 1970; Infinity if none waits. */
  get nextTime(): number {
    for (const request of this.waiting.values()) return expiryTime(request);
    return Number.POSITIVE_INFINITY;
  }

  get pending(): Iterable<ApprovalRequest> {
    return this.waiting.values();
  }

  get pendingCount(): number {
    return this.waiting.size;
  }

  /** The closed requests, the last decided one last. */
  get closed(): readonly ApprovalRequest[] {
    return this.ended;
  }

  find(id: number): ApprovalRequest | undefined {
    return this.waiting.get(id);
  }

  countRequests(account: number): number {
    let count = 0;
    for (const { command } of this.waiting.values()) if (command.account === account) count++;
    return count;
  }

  setPolicy(policy: ApprovalPolicy): void {
    this.state.exclude(this.hashTerms());
    this.policy = policy;
    this.state.include(this.hashTerms());
  }

  add({ user, reason, command }: RequestApproval): ApprovalRequest {
    const { state } = this;
    state.exclude(this.hashTerms());
    const id = this.nextId++;
    state.include(this.hashTerms());
    const requestedAt = state.time;
    const request = { id, user, reason, command, requestedAt, status: 'pending' } as const;
    this.waiting.set(id, request);
    state.include(hashRequest(request));
    return request;
  }

  /** Closes a pending request, and drops the closed one that was decided first if there are too many. */
  close(
    pending: ApprovalRequest,
    status: ApprovalStatus,
    decision: Omit<Decision, 'time'>,
  ): ApprovalRequest {
    const { state, ended } = this;
    this.waiting.delete(pending.id);
    state.exclude(hashRequest(pending));
    const request = { ...pending, status, decision: { ...decision, time: state.time } };
    ended.push(request);
    state.include(hashRequest(request));
    if (ended.length > MAX_CLOSED_APPROVALS) state.exclude(hashRequest(ended.shift()!));
    return request;
  }

  /** Expires the oldest request. */
  runDue(): void {
    for (const request of this.waiting.values()) {
      const decision = { account: NONE, key: NONE, user: '', reason: '' };
      this.state.events.push({
        kind: 'approvalExpired',
        account: request.command.account,
        request: this.close(request, 'expired', decision),
      });
      return;
    }
  }

  countDigest(): number {
    let sum = this.hashTerms();
    for (const request of this.all()) sum = (sum + hashRequest(request)) | 0;
    return sum;
  }

  audit(): void {
    let previous = 0;
    for (const [id, request] of this.waiting) {
      const isInOrder = request.id === id && id > previous && id < this.nextId;
      invariant(isInOrder, `the request for approval ${id} is out of order`);
      const isPending = request.status === 'pending' && request.decision === undefined;
      invariant(isPending, `the pending request for approval ${id} has been decided`);
      previous = id;
    }
    invariant(this.ended.length <= MAX_CLOSED_APPROVALS, 'too many closed requests for approval');
  }

  write(writer: ByteWriter): void {
    writer.number(this.nextId);
    writer.uint32(this.policy.actions);
    writer.uint32(this.policy.limits.length);
    for (const { asset, amount } of this.policy.limits) {
      writer.uint32(asset);
      writer.exact(amount);
    }
    writer.uint32(this.waiting.size + this.ended.length);
    for (const request of this.all()) writeRequest(writer, request);
  }

  read(reader: ByteReader): void {
    this.nextId = reader.number();
    const actions = reader.uint32();
    const limits = Array.from({ length: reader.uint32() }, () => {
      return { asset: reader.uint32(), amount: reader.exact() };
    });
    this.policy = { actions, limits };
    this.state.include(this.hashTerms());
    for (let left = reader.uint32(); left > 0; left--) {
      const request = readRequest(reader);
      if (request.status === 'pending') this.waiting.set(request.id, request);
      else this.ended.push(request);
      this.state.include(hashRequest(request));
    }
  }

  private *all(): Iterable<ApprovalRequest> {
    yield* this.waiting.values();
    yield* this.ended;
  }

  /** Returns the hash of the policy and the next id, which is 0 as long as the part is empty. */
  private hashTerms(): number {
    if (this.isEmpty) return 0;
    const writer = new ByteWriter(64);
    writer.number(this.nextId);
    writer.uint32(this.policy.actions);
    for (const { asset, amount } of this.policy.limits) {
      writer.uint32(asset);
      writer.exact(amount);
    }
    return hashBytes(60, writer.bytes());
  }
}

/** Returns when a request expires, in milliseconds since 1970. */
export function expiryTime({ requestedAt }: ApprovalRequest): number {
  return requestedAt + APPROVAL_LIFETIME_MS;
}

function hashRequest(request: ApprovalRequest): number {
  const writer = new ByteWriter(512);
  writeRequest(writer, request);
  return hashBytes(61, writer.bytes());
}

/** Returns a hash of bytes for the digest. @param kind Distinguishes kinds of elements */
export function hashBytes(kind: number, bytes: Uint8Array): number {
  let hash = mix(kind, bytes.length);
  for (const byte of bytes) hash = mix(hash, byte);
  return hash;
}

function writeRequest(writer: ByteWriter, request: ApprovalRequest): void {
  writer.number(request.id);
  writer.text(request.user);
  writer.text(request.reason);
  writer.raw(toCommandBytes(request.command));
  writer.number(request.requestedAt);
  writer.byte(approvalStatuses.indexOf(request.status));
  const { decision } = request;
  if (decision === undefined) return;
  writer.int32(decision.account);
  writer.int32(decision.key);
  writer.text(decision.user);
  writer.text(decision.reason);
  writer.number(decision.time);
}

function readRequest(reader: ByteReader): ApprovalRequest {
  const request = {
    id: reader.number(),
    user: reader.text(),
    reason: reader.text(),
    command: fromCommandBytes(reader.raw()),
    requestedAt: reader.number(),
    status: approvalStatuses[reader.byte()]!,
  };
  if (request.status === 'pending') return request;
  const decision = {
    account: reader.int32(),
    key: reader.int32(),
    user: reader.text(),
    reason: reader.text(),
    time: reader.number(),
  };
  return { ...request, decision };
}
