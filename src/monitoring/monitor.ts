import { version } from '../../package.json';
import { gauge, labels, type Metric } from './metrics.ts';
import { processMetrics } from './process-metrics.ts';
import { Readiness } from './readiness.ts';

/** A node's readiness and metrics. */
export class Monitor {
  readonly readiness = new Readiness();
  readonly metrics: Metric[];

  constructor(node: string) {
    const about = labels({ version, node, bun: Bun.version });
    this.metrics = [
      gauge('buttonwood_info', 'Build and name of the node; always 1.', () => 1, about),
      gauge(
        'buttonwood_ready',
        'Whether the node should receive requests, as /readyz reports.',
        () => (this.readiness.reasons.length === 0 ? 1 : 0),
      ),
      ...processMetrics(),
    ];
  }
}
