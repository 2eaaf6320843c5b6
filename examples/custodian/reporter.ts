import { setTimeout as sleep } from 'node:timers/promises';
import type { Custodian } from './custodian.ts';
import type { Faults } from './faults.ts';
import { signatureHeaders } from './signature.ts';

/** One callback to the exchange. */
interface Callback {
  readonly path: string;
  readonly body: string;
  /** Records that the exchange has accepted it. */
  accept(): void;
}

const PAUSE_MS = 200;
/** Pause after a failure, so that an exchange that is down is not flooded. */
const FAILED_PAUSE_MS = 500;
const TIMEOUT_MS = 5000;

/**
 * Reports to the exchange what it does not know yet, again and again until it has accepted each newest report. Nothing is
 * queued: what is due follows from the saved state, so a crash loses nothing.
 */
export class Reporter {
  private isStopped = false;
  private running: Promise<void> = Promise.resolve();
  /** Callbacks that are sent again after newer ones. */
  private readonly late: Callback[] = [];

  constructor(
    private readonly custodian: Custodian,
    private readonly baseUrl: string,
    private readonly faults: Faults,
  ) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      let failed = false;
      for (const callback of this.faults.isDown ? [] : this.due()) {
        if (this.isStopped) break;
        failed = !(await this.deliver(callback)) || failed;
      }
      await sleep(failed ? FAILED_PAUSE_MS : PAUSE_MS);
    }
  }

  private due(): Callback[] {
    const { addresses, deposits, withdrawals, wallets } = this.custodian.saved;
    const newest = (
      path: string,
      each: (typeof deposits | typeof withdrawals | typeof wallets)[number],
    ) => {
      const { report, content } = each;
      const accept = () => {
        each.accepted = Math.max(each.accepted, report);
      };
      return { path, body: `{${content},"report":${report}}`, accept };
    };
    const isDue = (each: { report: number; accepted: number }) => each.accepted < each.report;
    const unreported = addresses.filter(({ isReported }) => !isReported);
    const unknown = new Set(unreported.map(({ network }) => network));
    return [
      ...unreported.map((each) => {
        const { account, asset, network, address, memo } = each;
        const accept = () => {
          each.isReported = true;
        };
        const place = { account, asset, network, address, ...(memo === '' ? {} : { memo }) };
        return { path: '/api/custody/addresses', body: JSON.stringify(place), accept };
      }),
      // A deposit to an address that the exchange does not know yet would be put under review.
      ...deposits
        .filter((each) => isDue(each) && !unknown.has(each.network))
        .map((each) => newest('/api/custody/deposits', each)),
      ...withdrawals.filter(isDue).map((each) => newest('/api/custody/withdrawals', each)),
      ...wallets.filter(isDue).map((each) => newest('/api/custody/holdings', each)),
      ...this.late.splice(0),
    ];
  }

  /** Sends a callback with the faults that are on. @returns Whether the exchange has accepted it */
  private async deliver(callback: Callback): Promise<boolean> {
    const { faults } = this;
    if (faults.hits('lost')) return false;
    if (faults.hits('delayed')) this.late.push(callback);
    const copies = faults.hits('duplicated') ? 2 : 1;
    let isAccepted = false;
    for (let left = copies; left > 0; left--)
      isAccepted = (await this.send(callback)) || isAccepted;
    // The exchange has it, but the custodian does not learn that, and repeats it.
    if (!isAccepted || faults.hits('unanswered')) return false;
    callback.accept();
    this.custodian.save();
    return true;
  }

  private async send({ path, body }: Callback): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      // A real custodian uses its own clock. A sandbox may be at another time.
      const time = await fetch(`${this.baseUrl}/api/time`, { signal });
      const { data } = (await time.json()) as { data: { timestamp: string } };
      const now = Date.parse(data.timestamp);
      const headers = signatureHeaders(this.custodian.saved.privateKey, path, now, body);
      const response = await fetch(this.baseUrl + path, { method: 'POST', headers, body, signal });
      if (response.ok) return true;
      console.error(`${path} was rejected with ${response.status}: ${await response.text()}`);
    } catch (error) {
      console.error(`The exchange does not answer: ${(error as Error).message}`);
    }
    return false;
  }
}
