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
  ['the exchange itself', 'http://127.0.0.1:3000', true],
  ['two headers joined', 'https://example.com, https://example.org', true],
  ['a program that sends its name', 'my-trading-bot', false],
  ['a scheme with the same beginning', 'httpx://example.com', false],
  ['an empty origin', '', false],
])('%s outside the sandbox', (_, origin, isRejected) => {
  expect(isBrowserRejected(origin, HOST, BASE, false)).toBe(isRejected);
});

test.each([
  ['no origin', null, HOST, false],
  ['the base address', 'http://127.0.0.1:3000', null, false],
  ['the name in the Host header', 'http://localhost:3000', 'LocalHost:3000', false],
  ['another port', 'http://localhost:3001', 'localhost:3000', true],
  ['another scheme', 'https://localhost:3000', 'localhost:3000', true],
  ['another site', 'https://example.com', HOST, true],
  ['a site with the same beginning', 'http://127.0.0.1:3000.example.com', HOST, true],
  ['an opaque page', 'null', 'null', true],
])('%s in the sandbox', (_, origin, host, isRejected) => {
  expect(isBrowserRejected(origin, host, BASE, true)).toBe(isRejected);
});

test.each([
  ['the listening address', 'http://10.0.0.5:3000', undefined, 'http://10.0.0.5:3000', true],
  [
    'the listening address, on an assigned port',
    'http://10.0.0.5:0',
    undefined,
    'http://10.0.0.5:4711',
    true,
  ],
  ['localhost', 'http://0.0.0.0:3000', undefined, 'http://localhost:3000', true],
  ['another loopback address', 'http://127.0.0.1:3000', undefined, 'http://127.8.0.1:3000', true],
  ['the IPv6 loopback address', 'http://127.0.0.1:3000', undefined, 'http://[::1]:3000', true],
  [
    'a foreign domain that points here',
    'http://127.0.0.1:3000',
    undefined,
    'http://rebind.example:3000',
    false,
  ],
  [
    'a domain that begins like an address',
    'http://127.0.0.1:3000',
    undefined,
    'http://127.0.0.1.example:3000',
    false,
  ],
  [
    'a domain that ends like localhost',
    'http://127.0.0.1:3000',
    undefined,
    'http://evil-localhost:3000',
    false,
  ],
  ['another address', 'http://127.0.0.1:3000', undefined, 'http://10.0.0.6:3000', false],
  ['a domain over TLS', 'https://0.0.0.0:443', undefined, 'https://exchange.example', true],
  [
    'the public URL',
    'http://127.0.0.1:3000',
    'https://exchange.example',
    'https://exchange.example',
    true,
  ],
  [
    'localhost if there is a public URL',
    'http://127.0.0.1:3000',
    'https://exchange.example',
    'http://127.0.0.1:3000',
    false,
  ],
  [
    'another domain if there is a public URL',
    'http://127.0.0.1:3000',
    'https://exchange.example',
    'https://rebind.example',
    false,
  ],
])('own site: %s', (_, listening, publicUrl, site, isOwn) => {
  const own = { url: new URL(publicUrl ?? listening), isNamed: publicUrl !== undefined };
  // The Host header has the same name.
  expect(isOwnSite(site, site.replace(/^https?:\/\//, ''), own)).toBe(isOwn);
});
