import { createHash } from 'node:crypto';
import { Chain, newChain, type Transaction } from './chain.ts';
import { generateKey } from './signature.ts';
import type { Deposit, OwnAddress, Saved, Store, Wallet, Withdrawal } from './store.ts';
import { holdings } from './wallets.ts';

/** Confirmations after which nothing is reported any more. Deeper blocks are not replaced. */
export const FINAL_CONFIRMATIONS = 8;
/** Confirmations at which a withdrawal is reported as confirmed: a reorganization can no longer remove it. */
const WITHDRAWAL_CONFIRMATIONS = FINAL_CONFIRMATIONS;

/** The wallets of a network are reported again after so many blocks. */
const BLOCKS_PER_COUNT = 12;

/** An instruction of the exchange, with its amount as text. */
export interface Instruction {
  readonly id: number;
  readonly type: 'address' | 'withdrawal';
  readonly account: string;
  readonly asset: string;
  readonly network: string;
  readonly withdrawal: number;
  readonly address: string;
  readonly memo: string | null;
  readonly amount: string;
}

/** A request was refused; the message has the reason. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** Networks whose addresses are shared, and distinguished by a memo. */
const WITH_MEMO: readonly string[] = ['ton'];

/** The keeper of the coins: addresses, payments and their reports. Everything is saved before it has an effect outside. */
export class Custodian {
  readonly saved: Saved;

  constructor(private readonly store: Store) {
    this.saved = store.load(() => ({
      privateKey: generateKey(),
      ...{
        chains: {},
        addresses: [],
        instructions: {},
        deposits: [],
        withdrawals: [],
        wallets: [],
      },
    }));
  }

  save(): void {
    this.store.save(this.saved);
  }

  chain(network: string): Chain {
    this.saved.chains[network] ??= newChain();
    return new Chain(network, this.saved.chains[network]);
  }

  /**
   * Carries out an instruction of the exchange, once.
   * @throws RefusedError if another instruction had its id
   */
  follow(instruction: Instruction, body: string): void {
    const { instructions } = this.saved;
    const known = instructions[instruction.id];
    if (known === body) return;
    if (known !== undefined) throw new RefusedError('this id was that of another instruction');
    instructions[instruction.id] = body;
    if (instruction.type === 'address') this.createAddress(instruction);
    else this.pay(instruction);
    this.refresh();
    this.save();
  }

  /** Sends a payment to an address, as a sender outside does. */
  receive(
    asset: string,
    network: string,
    { address, memo, amount }: { address: string; memo: string; amount: string },
  ): Transaction {
    const transaction = this.chain(network).send(asset, [{ address, memo, amount }]);
    this.refresh();
    this.save();
    return transaction;
  }

  /** Opens the wallet of an asset on a network with its first coins, unless there is one. */
  open(asset: string, network: string, reserve: string): void {
    const { wallets } = this.saved;
    if (wallets.some((each) => each.asset === asset && each.network === network)) return;
    wallets.push({ asset, network, reserve, report: 0, accepted: 0, content: '' });
    this.chain(network);
    this.refresh();
    this.save();
  }

  /** Adds blocks to all networks. */
  mine(count: number): void {
    for (const network of Object.keys(this.saved.chains)) {
      const chain = this.chain(network);
      for (let left = count; left > 0; left--) {
        chain.mine();
        if (chain.height % BLOCKS_PER_COUNT === 0) this.count(network);
      }
    }
    this.refresh();
    this.save();
  }

  /** Replaces the newest blocks of a network. @throws RefusedError if they are too many */
  reorganize(network: string, depth: number, drops: readonly string[]): void {
    if (!(depth >= 1 && depth < FINAL_CONFIRMATIONS)) {
      throw new RefusedError(`depth must be from 1 to ${FINAL_CONFIRMATIONS - 1}`);
    }
    const ours = this.saved.withdrawals.map(({ transaction }) => transaction);
    if (drops.some((id) => ours.includes(id))) {
      throw new RefusedError('a withdrawal is sent again until it is in a block');
    }
    this.chain(network).reorganize(depth, drops);
    this.refresh();
    this.save();
  }

  /** Reports the wallets of a network again although they may hold the same, so that operators see that they were counted. */
  private count(network: string): void {
    for (const each of this.saved.wallets) if (each.network === network) each.report++;
  }

  private createAddress({ id, account, asset, network }: Instruction): void {
    // The exchange asks again if it has not heard of the address: it is always the same one.
    const known = this.saved.addresses.find(
      (each) => each.account === account && each.asset === asset && each.network === network,
    );
    if (known !== undefined) return;
    const isShared = WITH_MEMO.includes(network);
    const name = createHash('sha256')
      .update(isShared ? network : `${network} ${id}`)
      .digest('hex');
    this.saved.addresses.push({
      ...{ account, asset, network },
      address: `${network.slice(0, 3)}1${name.slice(0, 38)}`,
      memo: isShared ? String(100_000 + id) : '',
      isReported: false,
    });
    this.chain(network);
  }

  private pay({ id, withdrawal, asset, network, address, memo, amount }: Instruction): void {
    const base = { instruction: id, withdrawal, network, report: 0, accepted: 0, content: '' };
    if (address.startsWith('invalid')) {
      const reason = 'The network has no such address.';
      this.saved.withdrawals.push({ ...base, transaction: null, reason });
      return;
    }
    const payment = { address, memo: memo ?? '', amount };
    const transaction = this.chain(network).send(asset, [payment]).id;
    this.saved.withdrawals.push({ ...base, transaction, reason: null });
  }

  /** Gives every deposit and withdrawal whose state has changed a new report. */
  private refresh(): void {
    for (const network of Object.keys(this.saved.chains)) {
      const chain = this.chain(network);
      for (const transaction of chain.transactions) this.findDeposits(chain, transaction);
    }
    for (const each of this.saved.withdrawals) this.renew(each, this.withdrawalContent(each));
    for (const each of this.saved.wallets) this.renew(each, this.walletContent(each));
  }

  private findDeposits(chain: Chain, transaction: Transaction): void {
    const { id, network, asset, payments } = transaction;
    for (const [index, { address, memo, amount }] of payments.entries()) {
      if (!this.saved.addresses.some((own) => isAt(own, network, address))) continue;
      const deposit = this.deposit(network, id, index);
      const confirmations = Math.min(chain.countConfirmations(transaction), FINAL_CONFIRMATIONS);
      const isGone = transaction.block === null && transaction.wasReorganized;
      const memoText = memo === '' ? '' : `,"memo":${JSON.stringify(memo)}`;
      this.renew(
        deposit,
        `"asset":"${asset}","network":"${network}","transaction":"${id}","index":${index},` +
          `"address":${JSON.stringify(address)}${memoText},"amount":${amount},` +
          `"confirmations":${confirmations},"reorganized":${isGone}`,
      );
    }
  }

  private deposit(network: string, transaction: string, index: number): Deposit {
    const { deposits } = this.saved;
    const known = deposits.find((each) => each.transaction === transaction && each.index === index);
    if (known !== undefined) return known;
    const added = { network, transaction, index, report: 0, accepted: 0, content: '' };
    deposits.push(added);
    return added;
  }

  private withdrawalContent({ withdrawal, network, transaction: id, reason }: Withdrawal): string {
    if (id === null) {
      return `"withdrawal":${withdrawal},"status":"failed","reason":${JSON.stringify(reason)}`;
    }
    const chain = this.chain(network);
    const transaction = chain.transactions.find((each) => each.id === id)!;
    const isFinal = chain.countConfirmations(transaction) >= WITHDRAWAL_CONFIRMATIONS;
    const status = isFinal ? 'confirmed' : 'broadcast';
    return `"withdrawal":${withdrawal},"status":"${status}","transaction":"${id}"`;
  }

  private walletContent(wallet: Wallet): string {
    const { asset, network } = wallet;
    const { addresses, withdrawals } = this.saved;
    const amount = holdings(wallet, this.chain(network).transactions, {
      isOwn: (address) => addresses.some((each) => isAt(each, network, address)),
      isSent: (id) => withdrawals.some(({ transaction }) => transaction === id),
    });
    return `"asset":"${asset}","network":"${network}","amount":${amount}`;
  }

  private renew(object: Deposit | Withdrawal | Wallet, content: string): void {
    if (object.content === content) return;
    object.content = content;
    object.report++;
  }
}

function isAt(own: OwnAddress, network: string, address: string): boolean {
  return own.network === network && own.address === address;
}
