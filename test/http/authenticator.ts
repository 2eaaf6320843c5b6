import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A software passkey of ES256 with the answers of a browser and its authenticator (WebAuthn level 3). */
export class Authenticator {
  private readonly id = randomBytes(16);
  private readonly key: KeyObject;
  private readonly point: { x: Buffer; y: Buffer };
  counter = 0;
  /** Whether it verifies its user. */
  verifiesUser = true;

  constructor(
    readonly origin: string,
    readonly rpId = new URL(origin).hostname,
  ) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.key = privateKey;
    const { x, y } = publicKey.export({ format: 'jwk' });
    this.point = { x: Buffer.from(x!, 'base64url'), y: Buffer.from(y!, 'base64url') };
  }

  /**
   * Returns the result of `navigator.credentials.create` for a challenge.
   * @param attested The attestation: none, a self-signature, or certificates.
   */
  create(
    challenge: string,
    attested: 'none' | 'itself' | { format: string; certificates: readonly Buffer[] } = 'none',
  ) {
    const { x, y } = this.point;
    const cose = map([
      [uint(1), uint(2)],
      [uint(3), negative(7)],
      [negative(1), uint(1)],
      [negative(2), bytes(x)],
      [negative(3), bytes(y)],
    ]);
    const length = Buffer.from([0, this.id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, cose]);
    const authData = Buffer.concat([this.head(0x40), credential]);
    const clientData = this.clientData('webauthn.create', challenge);
    const signed = Buffer.concat([authData, sha256(clientData)]);
    const statements = {
      none: () => [],
      itself: () => [
        [text('alg'), negative(7)] as const,
        [text('sig'), bytes(sign('sha256', signed, this.key))] as const,
      ],
    };
    const [format, statement] =
      typeof attested === 'object'
        ? [attested.format, [[text('x5c'), array(attested.certificates.map(bytes))] as const]]
        : [attested === 'none' ? 'none' : 'packed', statements[attested]()];
    const attestationObject = map([
      [text('fmt'), text(format)],
      [text('attStmt'), map(statement)],
      [text('authData'), bytes(authData)],
    ]);
    return this.credential({
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
    });
  }

  /** Returns the result of `navigator.credentials.get` for a challenge. */
  get(challenge: string) {
    this.counter++;
    const authenticatorData = this.head(0);
    const clientData = this.clientData('webauthn.get', challenge);
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    return this.credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', signed, this.key).toString('base64url'),
    });
  }

  private credential(response: object) {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private head(flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const all = flags | 0x01 | (this.verifiesUser ? 0x04 : 0);
    return Buffer.concat([sha256(Buffer.from(this.rpId)), Buffer.from([all]), counter]);
  }

  private clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin }));
  }
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

/** The necessary subset of CBOR (RFC 8949). */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  return value < 256
    ? Buffer.from([(major << 5) | 24, value])
    : Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

const uint = (value: number) => head(0, value);
const negative = (value: number) => head(1, value - 1);
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value]);
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const array = (items: readonly Buffer[]) => Buffer.concat([head(4, items.length), ...items]);
const map = (pairs: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([head(5, pairs.length), ...pairs.flat()]);
