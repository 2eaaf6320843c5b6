import type { Decision } from '../auth/decision.ts';
import { prefersHtml } from '../http/request/accept.ts';
import { ApiError } from '../http/response/errors.ts';
import { NO_STORE, toErrorResponse, toResponse } from '../http/response/responses.ts';
import { ICON } from './icon.ts';
import { PLAIN_PAGE_HEADERS } from './pages.ts';
import { PLAIN_STYLE } from './plain-style.ts';

const NO_ENDPOINT = new ApiError('NOT_FOUND', 'No such endpoint. Check the path.');
const HEADERS = { ...PLAIN_PAGE_HEADERS, ...NO_STORE };

/** Returns the response for an unknown path: a page for browsers, a JSON error for programs. */
export function toNotFoundResponse(request: Request, decision: Decision): Response {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && prefersHtml(request)
    ? toResponse(request, NO_ENDPOINT.status, PAGE, decision, HEADERS)
    : toErrorResponse(request, NO_ENDPOINT, decision);
}

const PAGE = `<!doctype html>
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
