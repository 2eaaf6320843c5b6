import { expect, test } from 'bun:test';
import { isBrowserRejected, isOwnSite } from './origin.ts';

const BASE = { url: new URL('http://127.0.0.1:3000'), isNamed: false };
const HOST = '127.0.0.1:3000';

test.each([
  ['no origin', null, false],
  ['an opaque page', 'null', true],
  ['a site', 'https://example.com', true],
  ['a site without TLS', 'http://example.com', true],
  ['capitals', 'HTTPS://EXAMPLE.COM', true],
  ['this very site', 'http://127.0.0.1:3000', true],
  ['two headers joined', 'https://example.com, https://example.org', true],
  ['a program that names itself', 'my-trading-bot', false],
  ['a scheme that only begins alike', 'httpx://example.com', false],
  ['an empty origin', '', false],
])('%s outside the sandbox', (_, origin, isRefused) => {
  expect(isBrowserRejected(origin, HOST, BASE, false)).toBe(isRefused);
});

test.each([
  ['no origin', null, HOST, false],
  ['the base address', 'http://127.0.0.1:3000', null, false],
  ['the name that the request came by', 'http://localhost:3000', 'LocalHost:3000', false],
  ['another port', 'http://localhost:3001', 'localhost:3000', true],
  ['another scheme', 'https://localhost:3000', 'localhost:3000', true],
  ['another site', 'https://example.com', HOST, true],
  ['a site that only begins alike', 'http://127.0.0.1:3000.example.com', HOST, true],
  ['an opaque page', 'null', 'null', true],
])('%s in the sandbox', (_, origin, host, isRefused) => {
  expect(isBrowserRejected(origin, host, BASE, true)).toBe(isRefused);
});

test.each([
  ['where it listens', 'http://10.0.0.5:3000', undefined, 'http://10.0.0.5:3000', true],
  [
    'where it listens, on the port that it was given',
    'http://10.0.0.5:0',
    undefined,
    'http://10.0.0.5:4711',
    true,
  ],
  ['this machine', 'http://0.0.0.0:3000', undefined, 'http://localhost:3000', true],
  [
    'this machine, by another of its addresses',
    'http://127.0.0.1:3000',
    undefined,
    'http://127.8.0.1:3000',
    true,
  ],
  ['this machine, by IPv6', 'http://127.0.0.1:3000', undefined, 'http://[::1]:3000', true],
  [
    "a name that leads here, of somebody's own",
    'http://127.0.0.1:3000',
    undefined,
    'http://rebind.example:3000',
    false,
  ],
  [
    'a name that begins as an address',
    'http://127.0.0.1:3000',
    undefined,
    'http://127.0.0.1.example:3000',
    false,
  ],
  [
    'a name that ends as one',
    'http://127.0.0.1:3000',
    undefined,
    'http://evil-localhost:3000',
    false,
  ],
  [
    'an address that is not listened on',
    'http://127.0.0.1:3000',
    undefined,
    'http://10.0.0.6:3000',
    false,
  ],
  [
    'a name that its certificate has',
    'https://0.0.0.0:443',
    undefined,
    'https://exchange.example',
    true,
  ],
  [
    'the public one',
    'http://127.0.0.1:3000',
    'https://exchange.example',
    'https://exchange.example',
    true,
  ],
  [
    'this machine beside the public one',
    'http://127.0.0.1:3000',
    'https://exchange.example',
    'http://127.0.0.1:3000',
    false,
  ],
  [
    'another name beside the public one',
    'http://127.0.0.1:3000',
    'https://exchange.example',
    'https://rebind.example',
    false,
  ],
])('%s: its own site or not', (_, listening, publicUrl, site, isOwn) => {
  const own = { url: new URL(publicUrl ?? listening), isNamed: publicUrl !== undefined };
  // The Host of who comes by that name agrees.
  expect(isOwnSite(site, site.replace(/^https?:\/\//, ''), own)).toBe(isOwn);
});
