import { expect, test } from 'bun:test';
import { prefersHtml } from './accept.ts';

test.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/html', true],
  ['TEXT/HTML ; q=0.5, application/json;q=0.4', true],
  ['text/html, */*', true],
  ['*/*', false],
  ['application/json', false],
  ['application/json, text/html', false],
  ['text/html;q=0', false],
  ['text/html;q=', false],
  ['text/*', false],
  ['', false],
])('Accept: %s prefers HTML: %p', (accept, isHtml) => {
  expect(prefersHtml(new Request('http://x/', { headers: { accept } }))).toBe(isHtml);
});

test('a request without an Accept header does not prefer HTML', () => {
  expect(prefersHtml(new Request('http://x/'))).toBe(false);
});
