import { ICON_SVG } from './icon.ts';
import { iconImage } from './icon-image.ts';
import type { Page } from './pages.ts';

const DAY = 'public, max-age=86400';
const COMMON = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': DAY };

const icon = (path: string, size: number, purpose: 'any' | 'maskable') => ({
  src: path,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
});

/** The manifest by which systems install the pages as an app (W3C Web Application Manifest). */
const MANIFEST = {
  id: '/trade',
  name: 'Buttonwood',
  short_name: 'Buttonwood',
  description: 'Trade on the Buttonwood exchange',
  start_url: '/trade',
  scope: '/',
  display: 'standalone',
  background_color: '#0b0d12',
  theme_color: '#0b0d12',
  icons: [
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    icon('/icon-192.png', 192, 'any'),
    icon('/icon-512.png', 512, 'any'),
    icon('/icon-maskable.png', 512, 'maskable'),
  ],
  shortcuts: [
    { name: 'Trade', url: '/trade' },
    { name: 'Portfolio', url: '/portfolio' },
    { name: 'Price alerts', url: '/settings#notifications' },
  ],
};

const png = { ...COMMON, 'Content-Type': 'image/png' };

/** The files that make the pages an app: the manifest and its icons. */
export const APP_FILES: readonly Page[] = [
  {
    path: '/manifest.webmanifest',
    headers: { ...COMMON, 'Content-Type': 'application/manifest+json' },
    content: async () => JSON.stringify(MANIFEST),
  },
  {
    path: '/icon.svg',
    headers: {
      ...COMMON,
      'Content-Type': 'image/svg+xml',
      'Content-Security-Policy': "default-src 'none'",
    },
    content: async () => ICON_SVG,
  },
  { path: '/icon-192.png', headers: png, content: async () => iconImage(192, false) },
  { path: '/icon-512.png', headers: png, content: async () => iconImage(512, false) },
  { path: '/icon-maskable.png', headers: png, content: async () => iconImage(512, true) },
];
