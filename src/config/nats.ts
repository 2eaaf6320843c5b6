import { z } from 'zod';

/** NATS servers and the credentials for them. */
export interface NatsServers {
  /** `host:port`, at least one. */
  readonly servers: readonly string[];
  /** Whether the connection must be encrypted, that is the URLs start with tls://. */
  readonly isTls: boolean;
  /** Set together with the password, or not at all. */
  readonly user?: string;
  readonly password?: string;
}

const DEFAULT_PORT = 4222;

/** Parses `nats://host:port,…` with one user and password for all, in one URL or in each. */
export const natsSchema = z
  .string()
  .transform((given, context): NatsServers => {
    const found = readServers(given);
    if (found !== undefined) return found;
    context.addIssue({ code: 'custom' });
    return z.NEVER;
  })
  .describe(
    'NATS URLs such as nats://host:4222,nats://other:4222 (or tls://), without a path; put user:password@ ' +
      'before the first host, with characters like @ and , encoded as %40 and %2C',
  );

function readServers(given: string): NatsServers | undefined {
  const urls = given.split(',').map((part) => URL.parse(part.trim()));
  const servers: string[] = [];
  const protocols = new Set<string>();
  const users = new Set<string>();
  for (const url of urls) {
    if (url === null || !/^(nats|tls):$/.test(url.protocol) || url.hostname === '')
      return undefined;
    if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return undefined;
    if ((url.username === '') !== (url.password === '')) return undefined;
    servers.push(`${url.hostname}:${url.port || DEFAULT_PORT}`);
    protocols.add(url.protocol);
    if (url.username !== '') users.add(`${url.username}:${url.password}`);
  }
  if (protocols.size > 1 || users.size > 1) return undefined;
  const base = { servers, isTls: protocols.has('tls:') };
  const [user] = users;
  if (user === undefined) return base;
  try {
    const [name, password] = user.split(':').map(decodeURIComponent);
    return { ...base, user: name!, password: password! };
  } catch {
    return undefined;
  }
}
