import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { webauthn } from '../../src/users/credentials/passkeys.ts';
import { Authenticator } from '../http/authenticator.ts';
import { Browser, PASSWORD } from '../http/browser.ts';
import { TestExchange } from '../http/exchange.ts';

/** Tests server side request forgery: certificates of passkeys could name an address for the exchange to open. */

/** An authority and its certificate, with a revocation list at LIST. Both expire in 2126. */
const AUTHORITY =
  'MIIBdTCCARugAwIBAgIUDLjA9ck38kOnNbYjqgjwEW60bu4wCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEcm9vdDAg' +
  'Fw0yNjExMjEyMzE1MjFaGA8yMTI2MTAyODIzMTUyMVowDzENMAsGA1UEAwwEcm9vdDBZMBMGByqGSM49AgEGCCqG' +
  'SM49AwEHA0IABHO4EWDZf9IN38hcZxDbWjp+8EcK/frEuBluepqFpJMeB0UGApAh5nryJGll+qXxYYPbrMhQOlb1' +
  'hw9zQNq9yySjUzBRMB0GA1UdDgQWBBTScPit2Ys2bO9qryAkYog7IbxvzjAfBgNVHSMEGDAWgBTScPit2Ys2bO9q' +
  'ryAkYog7IbxvzjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQD9WaP/gd6lQHQNImZMYvkz5Clu' +
  'gO5vIYWGg2oVYbMyzAIgOE3leIoylBfpdW79kxgeWMoPvqsZQPDP4I37es2IujI=';
const CERTIFICATE =
  'MIIBkjCCATegAwIBAgIUMuJ3vmMVUpXl48kkNRVqXXrhBq0wCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEcm9vdDAg' +
  'Fw0yNjExMjEyMzE1MjFaGA8yMTI2MTAyODIzMTUyMVowDzENMAsGA1UEAwwEbGVhZjBZMBMGByqGSM49AgEGCCqG' +
  'SM49AwEHA0IABDj+POTXH1esy0RYkmJI1T/4bPD6jLDllPuGC7qoOeUeD87K9Icr6mJhBRc8I++9HIa59WJyfR9W' +
  'xlaEkZaVtjGjbzBtMCsGA1UdHwQkMCIwIKAeoByGGmh0dHA6Ly8xNjkuMjU0LjE2OS4yNTQvY3JsMB0GA1UdDgQW' +
  'BBQYGEie2IOWU7hF7T9PQcnfY3OJGDAfBgNVHSMEGDAWgBTScPit2Ys2bO9qryAkYog7IbxvzjAKBggqhkjOPQQD' +
  'AgNJADBGAiEAm8J/O+hDSPkRta6MEryhlDJkKbK49LDtgSHPTphWAQUCIQCKxl7BoKR5aTzQdCsJt7dXr98O3DhY' +
  'U4sCWb//tufxzw==';
const LIST = 'http://169.254.169.254/crl';
const FORMATS = ['apple', 'packed', 'fido-u2f', 'tpm', 'android-key', 'android-safetynet'];

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await TestExchange.open();
  // Trust the authority, as browsers trust well-known ones.
  webauthn().SettingsService.setRootCertificates({
    identifier: 'apple',
    certificates: [
      `-----BEGIN CERTIFICATE-----\n${AUTHORITY.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----`,
    ],
  });
});
afterAll(() => exchange.close());

/** Records the outgoing requests of `run`, all of which fail. */
async function asked(run: () => Promise<unknown>): Promise<string[]> {
  const addresses: string[] = [];
  const fetch = spyOn(globalThis, 'fetch').mockImplementation(((address: string) => {
    addresses.push(address);
    return Promise.reject(new Error('no connection'));
  }) as unknown as typeof globalThis.fetch);
  try {
    await run();
  } finally {
    fetch.mockRestore();
  }
  return addresses;
}

const ORIGIN = 'http://localhost:3000';
const certificates = [Buffer.from(CERTIFICATE, 'base64')];

async function add(browser: Browser, attested: Parameters<Authenticator['create']>[1]) {
  browser.host = 'localhost:3000';
  const { data } = await browser.post('/passkeys/options', { password: PASSWORD });
  const response = new Authenticator(ORIGIN).create(data.options.challenge, attested);
  return browser.post('/passkeys', { response, label: 'phone' });
}

test('the library alone requests the revocation list of a certificate', async () => {
  const expectedChallenge = Buffer.from('challenge').toString('base64url');
  const attested = { format: 'apple', certificates };
  const response = new Authenticator(ORIGIN).create(expectedChallenge, attested);
  const addresses = await asked(() =>
    webauthn()
      .verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge,
        expectedOrigin: ORIGIN,
        expectedRPID: 'localhost',
      })
      .catch(() => undefined),
  );
  expect(addresses).toEqual([LIST]);
});

test('a passkey with certificates is rejected without outgoing requests', async () => {
  const browser = await Browser.signedUp(exchange, 'holder@example.com');
  for (const format of FORMATS) {
    const addresses = await asked(async () => {
      const { code, details } = await add(browser, { format, certificates });
      expect([format, code, details.field]).toEqual([format, 'INVALID_REQUEST', 'response']);
    });
    expect([format, addresses]).toEqual([format, []]);
  }
});

test('one with a self-signature, as browsers send it, is accepted', async () => {
  const browser = await Browser.signedUp(exchange, 'itself@example.com');
  expect((await add(browser, 'itself')).status).toBe(200);
});
