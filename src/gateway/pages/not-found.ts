import { ICON } from './icon.ts';
import { PLAIN_STYLE } from './welcome.ts';

/** The page for a browser that asks for a path without one. */
export const NOT_FOUND_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Page not found · Buttonwood</title>
<link rel="icon" href="${ICON}">
<style>${PLAIN_STYLE}</style>
</head>
<body>
<h1>Page not found</h1>
<p class="lead">There is no page at this address. Check the address for typing errors.</p>
<ul>
<li><a href="/">Home</a></li>
<li><a href="/trade">Trade</a></li>
<li><a href="/portfolio">Portfolio</a></li>
<li><a href="/sign-in">Sign in</a></li>
<li><a href="/docs">API documentation</a></li>
</ul>
</body>
</html>
`;
