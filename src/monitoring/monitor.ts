import { version } from '../../package.json';
import { gauge, labels, type Metric } from './metrics.ts';
import { processMetrics } from './process-metrics.ts';
import { Readiness } from './readiness.ts';

/** What one node tells those who watch it: whether it is ready, and its numbers. */
export class Monitor {
  readonly readiness = new Readiness();
  readonly metrics: Metric[];

  constructor(node: string) {
    const about = labels({ version, node, bun: Bun.version });
    this.metrics = [
      gauge('buttonwood_info', 'Which build runs as which node; always 1.', () => 1, about),
      gauge(
        'buttonwood_ready',
        'Whether the node should be sent requests: what /readyz says.',
        () => (this.readiness.reasons.length === 0 ? 1 : 0),
      ),
      ...processMetrics(),
    ];
  }
}
