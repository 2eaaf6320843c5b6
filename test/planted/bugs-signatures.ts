import type { Bug } from './bug.ts';

const http = (test: string) => ({ file: 'test/http/signatures.test.ts', test });
const hmac = (test: string) => ({ file: 'test/http/hmac-keys.test.ts', test });
const sealed = (test: string) => ({ file: 'src/gateway/auth/sealed-secrets.test.ts', test });
const engine = (test: string) => ({ file: 'src/engine/ledger/used-signatures.test.ts', test });

/** Signed requests. */
export const signatureBugs: readonly Bug[] = [
  {
    name: 'a signed request is used again',
    file: 'src/engine/ledger/used-signatures.ts',
    text: 'if (this.used.has(toName(entry))) return rejected(RejectionCode.signatureUsed);',
    becomes: '',
    catcher: 'simulator',
  },
  {
    name: 'a signed request is used after its window',
    file: 'src/engine/ledger/used-signatures.ts',
    text: 'if (time > expiresAt || expiresAt > time + MAX_SIGNATURE_LIFETIME_MS) {',
    becomes: 'if (expiresAt > time + MAX_SIGNATURE_LIFETIME_MS) {',
    catcher: 'simulator',
  },
  {
    name: 'a signed request is forgotten at the end of the longest window',
    file: 'src/engine/ledger/used-signatures.ts',
    text: 'return time - usedAt > MAX_SIGNATURE_LIFETIME_MS;',
    becomes: 'return time - usedAt >= MAX_SIGNATURE_LIFETIME_MS;',
    catcher: engine('with the longest window is never forgotten before its window ends'),
  },
  {
    name: 'a used signature of one key counts for all',
    file: 'src/engine/ledger/used-signatures.ts',
    text: 'const entry = { key, hash: hash.toHex(), usedAt: time };',
    becomes: 'const entry = { key: 0 * key, hash: hash.toHex(), usedAt: time };',
    catcher: engine('is used once per key'),
  },
  {
    name: 'a snapshot forgets used signatures',
    file: 'src/engine/snapshot/snapshot.ts',
    text: '    signatures.add({ key, hash, usedAt: reader.number() });',
    becomes: '    if (reader.number() < 0) signatures.add({ key, hash, usedAt: 0 });',
    catcher: engine('stays used in a snapshot'),
  },
  {
    name: 'keys that sign exist in engine version 1',
    file: 'src/engine/ledger/key-administration.ts',
    text: 'if (this.state.version < 2 || publicKey.length !== PUBLIC_KEY_BYTES) {',
    becomes: 'if (publicKey.length !== PUBLIC_KEY_BYTES) {',
    catcher: engine('does not exist in engine version 1'),
  },
  {
    name: 'only signed posts are used once',
    file: 'src/gateway/gateway.ts',
    text: "if (signed !== undefined && endpoint.method !== 'GET') {",
    becomes: "if (signed !== undefined && endpoint.method === 'POST') {",
    catcher: http('that cancels, or creates a key, acts once too'),
  },
  {
    name: 'the window of a signed request is a second too long',
    file: 'src/gateway/auth/signatures.ts',
    text: '&& now <= end;',
    becomes: '&& now <= end + 1000;',
    catcher: http('rejected with the server’s time'),
  },
  {
    name: 'an order is executed a millisecond after its deadline',
    file: 'src/engine/exchange.ts',
    text: 'return this.state.time > command.deadline',
    becomes: 'return this.state.time > command.deadline + 1',
    catcher: {
      file: 'test/http/deadlines.test.ts',
      test: 'is not executed if the log reaches it late',
    },
  },
  {
    name: 'the body of a signed request is not checked',
    file: 'src/gateway/auth/authorization.ts',
    text: 'signedText(request.method, readTarget(request), signed, body);',
    becomes: 'signedText(request.method, readTarget(request), signed, body?.subarray(0, 0));',
    catcher: http('with a body of binary data is checked over its bytes'),
  },
  {
    name: 'wrong signatures are checked without a limit',
    file: 'src/gateway/auth/signed-requests.ts',
    text: 'return !failures.isExhausted(endpoint, scope, now) && !rejections',
    becomes: 'return failures !== undefined && !rejections',
    catcher: http('gets as many checks as its address has wrong credentials'),
  },
  {
    name: 'a flood at its own address is checked permanently',
    file: 'src/gateway/auth/signed-requests.ts',
    text: 'if (this.windows.failures.isExhausted(endpoint, scope, now)) this.lastScopes.delete(key);',
    becomes: '',
    catcher: http('by the name of a key from its own address is not checked permanently'),
  },
  {
    name: 'a public key of small order is accepted',
    file: 'src/gateway/auth/public-key.ts',
    text: ' || SMALL_ORDER_Y.includes(P - y)',
    becomes: '',
    catcher: http('rejects another point of order 8'),
  },
  {
    name: 'a signed message authenticates several streams',
    file: 'src/gateway/auth/stream-authorization.ts',
    text: '    await this.signedRequests.use(request, FIELDS);\n',
    becomes: '',
    catcher: {
      file: 'test/stream/signatures.test.ts',
      test: 'a copy of the message authenticates no other stream',
    },
  },
  {
    name: 'a sealed secret is not bound to its account',
    file: 'src/gateway/auth/sealed-secrets.ts',
    text: "return Buffer.from([FORMAT, id, apiKey, accountId].join('\\n'));",
    becomes: "return Buffer.from([FORMAT, id, apiKey, accountId.slice(0, 0)].join('\\n'));",
    catcher: sealed('is of no use to another API key or account'),
  },
  {
    name: 'only the first sealing key decrypts',
    file: 'src/gateway/auth/sealed-secrets.ts',
    text: 'const key = this.keys.get(id)?.key;',
    becomes: 'const key = this.first.id === id ? this.first.key : undefined;',
    catcher: sealed('the first sealing key seals, all open'),
  },
  {
    name: 'a sealed secret is in the audit',
    file: 'src/engine/command-details.ts',
    text: "'secretHash', 'sealedSecret']",
    becomes: "'secretHash']",
    catcher: hmac('stores nothing from which the secret can be read'),
  },
  {
    name: 'an HMAC key may operate',
    file: 'src/engine/ledger/key-administration.ts',
    text: 'if ((permissions & OPERATOR_PERMISSIONS) !== 0) {',
    becomes: 'if ((permissions & OPERATOR_PERMISSIONS) === Number.NaN) {',
    catcher: { file: 'src/engine/ledger/hmac-keys.test.ts', test: 'never operates the exchange' },
  },
  {
    name: 'a snapshot forgets the secrets of HMAC keys',
    file: 'src/engine/snapshot/snapshot.ts',
    text: '      ...(sealedSecret.length > 0 && { sealedSecret }),\n',
    becomes: '',
    catcher: { file: 'src/engine/ledger/hmac-keys.test.ts', test: 'is in snapshots, sealed' },
  },
  {
    name: 'a native text is a payload of a dialect',
    file: 'src/gateway/auth/signed-payloads.ts',
    text: 'if (isNativeText(text)) {',
    becomes: 'if (isNativeText(text.subarray(1))) {',
    catcher: hmac('is never a native request with its signature'),
  },
  {
    name: 'a payload without a valid time is in its window',
    file: 'src/gateway/auth/signatures.ts',
    text: 'const isInWindow = sentAt - now <= MAX_AHEAD_MS && now <= end;',
    becomes: 'const isInWindow = !(sentAt - now > MAX_AHEAD_MS || now > end);',
    catcher: hmac('receive window 5000, clock NaN ms off: rejected for any sender'),
  },
  {
    name: 'secrets stay encrypted under an earlier sealing key',
    file: 'src/node/hmac-keys.ts',
    text: 'const secret = secrets.isCurrent(key) ? undefined : secrets.open(key);',
    becomes: 'const secret = secrets.isCurrent(key) ? secrets.open(key) : undefined;',
    catcher: {
      file: 'test/hmac-keys.test.ts',
      test: 'a rotation re-encrypts the secrets, after which the earlier key is not needed',
    },
  },
  {
    name: 'a secret that was replaced is still accepted',
    file: 'src/gateway/auth/sealed-secrets.ts',
    text: 'if (opened !== undefined && opened.sealedSecret === sealedSecret) return opened.secret;',
    becomes: 'if (opened !== undefined) return opened.secret;',
    catcher: {
      file: 'src/gateway/auth/sealed-secrets.test.ts',
      test: 'a secret that is encrypted again, or replaced, is read again',
    },
  },
  {
    name: 'the time to read a private key extends a deadline',
    file: 'src/client/signing.ts',
    text: 'deadline === undefined ? this.defaultWindow() : windowUntil(deadline, origin);',
    becomes:
      'deadline === undefined ? this.defaultWindow() : { ...windowUntil(deadline, origin), timestamp: Date.now() + 5 };',
    catcher: {
      file: 'test/client/signing.test.ts',
      test: 'the time to read a private key counts towards a deadline',
    },
  },
  {
    name: 'the client signs equal requests alike',
    file: 'src/client/signing.ts',
    text: 'this.sameMs = timestamp === this.lastMs ? this.sameMs + 1 : 0;',
    becomes: 'this.sameMs = 0;',
    catcher: {
      file: 'test/client/signing.test.ts',
      test: 'equal requests of one millisecond are different requests',
    },
  },
];
