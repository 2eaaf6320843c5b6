import { t } from '../i18n/t.ts';

const BROWSERS = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

const MAX_LENGTH = 60;

/** Returns a readable name such as `Firefox on Linux`, or the User-Agent itself if it is not a known browser's. */
export function browserName(userAgent: string): string {
  const name = (list: readonly (readonly [RegExp, string])[]) =>
    list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [name(BROWSERS), name(SYSTEMS)];
  if (browser === undefined) return userAgent.slice(0, MAX_LENGTH) || t('Unknown');
  return system === undefined ? browser : t('{browser} on {system}', { browser, system });
}
