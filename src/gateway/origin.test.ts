import { expect, test } from 'bun:test';
import { isBrowserRefused } from './origin.ts';

const BASE = new URL('http://127.0.0.1:3000');
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
  expect(isBrowserRefused(origin, HOST, BASE, false)).toBe(isRefused);
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
  expect(isBrowserRefused(origin, host, BASE, true)).toBe(isRefused);
});
