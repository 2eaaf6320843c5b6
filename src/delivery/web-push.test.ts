import { expect, test } from 'bun:test';
import { createECDH, createPublicKey, verify } from 'node:crypto';
import { arePushKeys, encryptPush, PushIdentity } from './web-push.ts';

const KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

test('encrypts the example of RFC 8291, Appendix A', () => {
  const sender = createECDH('prime256v1');
  sender.setPrivateKey('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url');
  const salt = Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url');
  const sealed = encryptPush('When I grow up, I want to be a watermelon', KEYS, sender, salt);
  expect(Buffer.from(sealed).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('keys of another length or off the curve are none', () => {
  expect(arePushKeys(KEYS)).toBe(true);
  expect(arePushKeys({ ...KEYS, auth: 'BTBZ' })).toBe(false);
  expect(arePushKeys({ ...KEYS, p256dh: 'BCVx' })).toBe(false);
  const offCurve = Buffer.alloc(65, 7);
  offCurve[0] = 4;
  expect(arePushKeys({ ...KEYS, p256dh: offCurve.toString('base64url') })).toBe(false);
});

test('a push service can check who sends, and for whom', () => {
  const identity = new PushIdentity(Buffer.alloc(32, 1), 'https://exchange.example');
  expect(new PushIdentity(Buffer.alloc(32, 1), '').publicKey).toBe(identity.publicKey);
  const header = identity.authorization('https://push.example:8443/send/1?x=2', 1_790_000_000);
  const [, token, key] = /^vapid t=(\S+), k=(\S+)$/.exec(header)!;
  expect(key).toBe(identity.publicKey);
  const [head, claims, signature] = token!.split('.');
  expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toEqual({
    aud: 'https://push.example:8443',
    exp: 1_790_000_000 + 12 * 3600,
    sub: 'https://exchange.example',
  });
  const point = Buffer.from(key!, 'base64url');
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      ...{ kty: 'EC', crv: 'P-256' },
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const signed = Buffer.from(`${head}.${claims}`);
  const dsa = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', signed, dsa, Buffer.from(signature!, 'base64url'))).toBe(true);
});
