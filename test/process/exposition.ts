/** A sample of `/metrics`. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(?:,|$)/gy;

/**
 * Parses the text format 0.0.4 of Prometheus.
 * @throws Error if it is malformed: an invalid name, label or number, a sample without HELP and TYPE before it, a
 *   repeated series, a counter without the suffix `_total`, a histogram whose buckets do not add up.
 */
export function readExposition(text: string): Sample[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no newline');
  const types = new Map<string, string>();
  const series = new Set<string>();
  const samples: Sample[] = [];
  let family = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      if (!NAME.test(name) || types.has(name)) throw new Error(line);
      family = name;
    } else if (keyword === 'TYPE') {
      if (name !== family || !/^(counter|gauge|histogram)$/.test(rest)) throw new Error(line);
      types.set(name, rest);
    } else {
      const sample = readSample(line);
      const base =
        types.get(family) === 'histogram'
          ? sample.name.replace(/_(bucket|sum|count)$/, '')
          : sample.name;
      const key = line.slice(0, line.lastIndexOf(' '));
      if (base !== family || !types.has(family) || series.has(key)) throw new Error(line);
      series.add(key);
      samples.push(sample);
    }
  }
  for (const [name, type] of types) check(name, type, samples);
  return samples;
}

function readSample(line: string): Sample {
  const [, name, inner = '', value] = LINE.exec(line) ?? [];
  if (name === undefined || !Number.isFinite(Number(value))) throw new Error(line);
  const found = [...inner.matchAll(LABEL)];
  if (found.map(([all]) => all).join('') !== inner) throw new Error(line);
  const labels = Object.fromEntries(found.map(([, label, text]) => [label, text]));
  return { name, labels, value: Number(value) };
}

function check(name: string, type: string, samples: readonly Sample[]): void {
  if (type === 'counter' && !name.endsWith('_total')) throw new Error(`${name} is a counter`);
  if (type !== 'histogram') return;
  const of = (suffix: string) => samples.filter((sample) => sample.name === name + suffix);
  for (const { labels, value: count } of of('_count')) {
    const own = of('_bucket').filter((bucket) =>
      Object.entries(labels).every(([label, text]) => bucket.labels[label] === text),
    );
    const values = own.map(({ value }) => value);
    const bounds = own.map(({ labels: { le } }) => (le === '+Inf' ? Infinity : Number(le)));
    if (!isRising(values) || !isRising(bounds)) throw new Error(`${name} does not rise`);
    if (bounds.at(-1) !== Infinity || values.at(-1) !== count)
      throw new Error(`${name} is incomplete`);
  }
}

function isRising(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || value >= values[index - 1]!);
}
