import { type LookupAddress, type LookupAllOptions, lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The servers that outgoing requests may reach. A user chooses the URL, so without these rules the exchange would
 * send requests to the machines next to it (server-side request forgery, OWASP).
 */
export interface TargetRules {
  /** Networks that may be reached although they are not public, over HTTP too. */
  readonly allowed: { includes(address: string): boolean };
}

const MAX_URL_LENGTH = 512;
/** Below this, ports belong to services that are no web servers, except that of HTTPS. */
const FIRST_FREE_PORT = 1024;
const HTTPS_PORT = 443;
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Finds all addresses of a name, as `dns.lookup` does. */
export type ResolveName = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: Error | null, found: LookupAddress[]) => void,
) => void;

/** A request was not sent because its target is not allowed. */
export class ForbiddenTargetError extends Error {
  override readonly name = 'ForbiddenTargetError';
}

/**
 * Checks a URL as far as that is possible without resolving its name.
 * @returns the reason why it is not allowed, as the rest of a sentence that begins with "url"; undefined if it may be
 */
export function checkTarget(text: string, rules: TargetRules): string | undefined {
  const url = URL.parse(text);
  if (url === null || text.length > MAX_URL_LENGTH) {
    return `must be a URL of at most ${MAX_URL_LENGTH} characters`;
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must have no user name or password';
  if (url.hash !== '') return 'must have no fragment';
  const address = literalAddress(url);
  const isAllowed =
    address === undefined ? isLocalName(url.hostname) : rules.allowed.includes(address);
  // A local name is resolved when a request is sent, and then must be in an allowed network.
  if (isAllowed) return undefined;
  if (url.protocol === 'http:') return 'must begin with https://';
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  if (port !== HTTPS_PORT && port < FIRST_FREE_PORT) {
    return `must have the port ${HTTPS_PORT}, or one from ${FIRST_FREE_PORT} on`;
  }
  if (address !== undefined && !isPublic(address)) return 'must be an address of the internet';
  return undefined;
}

/**
 * Returns a function that resolves names for a request, and fails if one leads to an address that is not allowed. The
 * connection uses the addresses that were checked, so a name cannot change between the check and the connection.
 * @param resolveName Finds the addresses of a name
 */
export function guardedLookup(
  rules: TargetRules,
  isSecure: boolean,
  resolveName: ResolveName = resolve,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, '', 0);
        return;
      }
      const usable = found.filter(({ address }) => isReachable(address, rules, isSecure));
      const [first] = usable;
      if (first === undefined) callback(forbidden(hostname), '', 0);
      else if (options.all) callback(null, usable);
      else callback(null, first.address, first.family);
    });
  };
}

/** @throws ForbiddenTargetError if the host of a URL is an address that is not allowed */
export function requireReachable(url: URL, rules: TargetRules): void {
  const address = literalAddress(url);
  if (address === undefined) return;
  if (!isReachable(address, rules, url.protocol === 'https:')) throw forbidden(url.hostname);
}

function isReachable(address: string, { allowed }: TargetRules, isSecure: boolean): boolean {
  return allowed.includes(address) || (isSecure && isPublic(address));
}

/**
 * Returns whether an address is one of the internet, and in none of the ranges for special purposes (RFC 6890). Outside
 * 2000::/3, IPv6 has no global addresses, but deprecated ones such as ::7f00:1 that contain an IPv4 address.
 */
function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const found = ipaddr.process(address);
  const isGlobal = found instanceof ipaddr.IPv4 || found.match(GLOBAL_IPV6);
  return isGlobal && found.range() === 'unicast';
}

/** Returns the address that a URL has in place of a name. */
function literalAddress({ hostname }: URL): string | undefined {
  const text = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(text) ? text : undefined;
}

function isLocalName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

function forbidden(hostname: string): ForbiddenTargetError {
  return new ForbiddenTargetError(`${hostname} leads to an address that is not in the internet`);
}
