import { describe, expect, test } from 'bun:test';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { YAML } from 'bun';
import { SETTINGS, settings } from '../src/config/settings.ts';

const ROOT = join(import.meta.dir, '..');
const DEPLOY = join(ROOT, 'deploy');

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly (string | { readonly source: string })[];
  readonly configs?: readonly { readonly source: string }[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>> | readonly string[];
  readonly command?: readonly string[];
  readonly stop_grace_period?: string;
  readonly networks?: { readonly default: { readonly ipv4_address: string } };
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, null>>;
  readonly networks: {
    readonly default: { readonly ipam: { readonly config: readonly Record<string, string>[] } };
  };
}

function read(path: string): string {
  return readFileSync(join(DEPLOY, path), 'utf8');
}

const compose = YAML.parse(read('compose.yaml')) as Compose;
const services = Object.entries(compose.services);
/** All files for users, of any kind. */
const files = globSync('**/*', { cwd: DEPLOY }).filter(
  (path) => /\.|Dockerfile|make-secrets/.test(path) && !path.startsWith('secrets'),
);

describe('deploy/', () => {
  test.each(files)('%s names only existing settings', (path) => {
    const variables = new Set<string>(settings.map(({ variable }) => variable));
    const secrets = settings.filter((setting) => setting.isSecret);
    for (const { variable } of secrets) variables.add(`${variable}_FILE`);
    const named = read(path).match(/BUTTONWOOD_[A-Z_]+/g) ?? [];
    expect(named.filter((name) => !variables.has(name))).toEqual([]);
  });

  test('every metric of an alert exists', () => {
    const sources = globSync('src/**/*.ts', { cwd: ROOT })
      .map((path) => readFileSync(join(ROOT, path), 'utf8'))
      .join('\n');
    const { groups } = YAML.parse(read('alerts.yaml')) as {
      groups: { rules: { alert: string; expr: string }[] }[];
    };
    const expressions = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
    const named = expressions.flatMap(
      (text) => text.match(/(?:buttonwood|process)_[a-z_]+/g) ?? [],
    );
    const names = new Set(named.map((name) => name.replace(/_(bucket|sum|count)$/, '')));
    expect([...names].filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
    expect(names.size).toBeGreaterThan(8);
  });

  test('the job of an alert has the name used by Prometheus and Kubernetes', () => {
    const [, job] = /job="(\w+)"/.exec(read('alerts.yaml'))!;
    const prometheus = YAML.parse(read('prometheus.yaml'));
    expect(prometheus).toMatchObject({ scrape_configs: [{ job_name: job }] });
    const monitor = read('helm/buttonwood/templates/service-monitor.yaml');
    const [, label] = /jobLabel: (\S+)/.exec(monitor)!;
    expect(read('helm/buttonwood/templates/_helpers.tpl')).toContain(`\n${label}: ${job}\n`);
  });

  test('compose: all inputs of services exist', () => {
    const missing: string[] = [];
    const need = (there: boolean, what: string) => there || missing.push(what);
    for (const [name, service] of services) {
      for (const secret of service.secrets ?? []) {
        const source = typeof secret === 'string' ? secret : secret.source;
        need(source in compose.secrets, `${name}: secret ${source}`);
      }
      for (const { source } of service.configs ?? []) {
        need(source in compose.configs, `${name}: config ${source}`);
      }
      for (const volume of service.volumes ?? []) {
        need(volume.split(':')[0]! in compose.volumes, `${name}: volume ${volume}`);
      }
      const others = service.depends_on ?? [];
      for (const other of Array.isArray(others) ? others : Object.keys(others)) {
        need(other in compose.services, `${name}: service ${other}`);
      }
    }
    for (const { file } of Object.values(compose.configs))
      need(existsSync(join(DEPLOY, file)), file);
    const made = read('make-secrets');
    for (const { file } of Object.values(compose.secrets)) {
      need(made.includes(`> ${file.slice(2)}`), `make-secrets: ${file}`);
    }
    expect(missing).toEqual([]);
  });

  test('there are three nodes and three servers, and all know each other', () => {
    const of = (kind: string) => services.filter(([name]) => name.startsWith(kind));
    const nodes = of('node-');
    expect(nodes).toHaveLength(3);
    for (const [name, { environment }] of nodes) {
      expect(environment).toMatchObject({ BUTTONWOOD_NODE: name, BUTTONWOOD_LOG_REPLICAS: '3' });
      expect(read('haproxy.cfg')).toContain(`server ${name} ${name}:3000\n`);
      expect(read('prometheus.yaml')).toContain(`"${name}:9000"`);
    }
    expect(of('nats-')).toHaveLength(3);
    for (const [name, { command }] of of('nats-')) {
      expect(command!.slice(-2)).toEqual(['--name', name]);
      expect(read('nats.conf')).toContain(`nats-route://${name}:6222`);
      expect(read('make-secrets')).toContain(`${name}:4222`);
    }
  });

  test('nodes trust only the load balancer, and nothing else can get its address', () => {
    const address = compose.services.haproxy!.networks!.default.ipv4_address;
    for (const node of ['node-1', 'node-2', 'node-3']) {
      const { BUTTONWOOD_TRUSTED_PROXIES: trusted } = compose.services[node]!.environment!;
      expect(trusted).toBe(address);
    }
    const [network] = compose.networks.default.ipam.config;
    const isWithin = (range: string) => {
      const [base, bits] = range.split('/') as [string, string];
      const list = new BlockList();
      list.addSubnet(base, Number(bits));
      return list.check(address);
    };
    expect(isWithin(network!.subnet!)).toBe(true);
    expect(isWithin(network!.ip_range!)).toBe(false);
  });

  test('ports and names agree', () => {
    const image = read('Dockerfile');
    expect(image).toContain(`BUTTONWOOD_ADMIN_PORT=9000`);
    expect(image).toContain(`EXPOSE ${SETTINGS.port.default} 9000`);
    expect(read('haproxy.cfg')).toContain('check port 9000');
    expect(read('haproxy.cfg')).toContain('option httpchk GET /readyz');
    const pod = read('helm/buttonwood/templates/statefulset.yaml');
    expect(pod).toContain(`containerPort: ${SETTINGS.port.default} }`);
    expect(pod).toContain('containerPort: 9000 }');
    const stream = SETTINGS.logStream.default;
    expect(read('nats-users.conf')).toContain(`"${stream}.batches"`);
    const values = YAML.parse(read('helm/buttonwood/values.yaml')) as { log: object };
    expect(values.log).toMatchObject({ stream, replicas: Number(SETTINGS.logReplicas.default) });
  });

  test('a stopping node has time to drain', () => {
    const drain = SETTINGS.drain.default(false);
    const unit = read('buttonwood.service');
    expect(Number(unit.match(/TimeoutStopSec=(\d+)/)![1])).toBeGreaterThan(Number(drain) + 20);
    const { stop_grace_period: grace } = compose.services['node-1']!;
    expect(Number.parseInt(grace!, 10)).toBeGreaterThan(Number(drain) + 20);
    const values = YAML.parse(read('helm/buttonwood/values.yaml')) as Record<string, number>;
    expect(values.terminationGracePeriodSeconds).toBeGreaterThan(values.drainSeconds! + 20);
  });

  test('the chart and the package have the same version', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const chart = YAML.parse(read('helm/buttonwood/Chart.yaml'));
    expect(chart).toMatchObject({ name: 'buttonwood', version, appVersion: version });
  });
});
