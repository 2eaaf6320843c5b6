import { ICON } from './icon.ts';
import type { PageOptions } from './web-pages.ts';

/** The style of pages without scripts. It is inline, to save a request; their policy allows it by its hash. */
export const PLAIN_STYLE = `
:root { color-scheme: light dark; }
body { font: 17px/1.55 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1.2rem; }
h1 { font-size: 2rem; margin-bottom: 0; }
.lead { margin-top: .3rem; opacity: .75; }
pre, code { font: 14px/1.5 ui-monospace, monospace; }
pre { padding: .9rem 1rem; border: 1px solid #8886; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
td code { overflow-wrap: anywhere; }
`;

/** Returns the home page, GET /. It has no script, so that it works everywhere. */
export function welcomePage({ isSandbox, hasBinance }: PageOptions): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Buttonwood</title>
<link rel="icon" href="${ICON}">
<style>${PLAIN_STYLE}</style>
</head>
<body>
<h1>Buttonwood</h1>
<p class="lead">A cryptocurrency exchange${isSandbox ? ', running as a sandbox with demo money' : ''}.</p>
<p><a href="/trade">Trade</a>, <a href="/sign-up">sign up</a> or <a href="/sign-in">sign in</a>, or open your
<a href="/portfolio">portfolio</a> and <a href="/settings">settings</a>.</p>
<p>See the <a href="/api/markets">markets</a> and their <a href="/api/prices">prices</a> (no API key required).
Try requests in your browser in the <a href="/docs">API documentation</a>, or read the OpenAPI document
<a href="/openapi.json">openapi.json</a> and, for WebSocket streams and orders, the AsyncAPI document
<a href="/asyncapi.json">asyncapi.json</a>.${
    hasBinance ? ' <a href="/bots">Bots</a> for Binance can trade here too.' : ''
  }</p>
<table>
<tr><th>Endpoint</th><th>Description</th><th>Rate limit (per min)</th></tr>
<tr><td><code>GET /api/markets</code></td><td>Markets and their trading rules</td><td>100</td></tr>
<tr><td><code>GET /api/prices</code></td><td>Current prices and 24 h statistics</td><td>100</td></tr>
<tr><td><code>GET /api/portfolio/balances</code></td><td>Account balances</td><td>60</td></tr>
<tr><td><code>POST /api/orders</code></td><td>Place an order</td><td>30</td></tr>
<tr><td><code>GET /api/orders</code></td><td>Orders, newest first</td><td>60</td></tr>
<tr><td><code>DELETE /api/orders/:id</code></td><td>Cancel an open order</td><td>30</td></tr>
</table>
<h2>API keys</h2>
<p>Private endpoints require two headers: <code>Authorization: Bearer &lt;API_KEY&gt;</code> and
<code>X-API-Secret: &lt;API_SECRET&gt;</code>.${
    isSandbox
      ? ' The sandbox has written API keys for <b>alice</b> and <b>bob</b> to <code>sandbox.json</code> in its data directory.'
      : ' Create an API key in your <a href="/settings#keys">settings</a>.'
  }</p>
<pre>curl -X POST "$BASE_URL/api/orders" \\
  -H "Authorization: Bearer $API_KEY" -H "X-API-Secret: $API_SECRET" \\
  -H "Content-Type: application/json" \\
  -d '{"symbol":"BTC/USDT","side":"buy","type":"limit","amount":0.01,"price":45000}'</pre>
<p>Use API keys on a server only, never in a web page.</p>
</body>
</html>
`;
}
