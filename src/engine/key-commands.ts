import type { Actor, CommandKind } from './command-kind.ts';

/** The commands about API keys. */

export interface CreateKey extends Actor {
  readonly kind: typeof CommandKind.createKey;
  readonly owner: number;
  readonly apiKey: string;
  /** SHA-256 of the secret. */
  readonly secretHash: Uint8Array;
  readonly permissions: number;
  readonly label: string;
  /** Addresses and networks from which the key may be used; empty for any. */
  readonly addresses: readonly string[];
  /** Milliseconds since 1970; 0 for never. */
  readonly expiresAt: number;
}

/** Creates a key whose requests are signed with Ed25519 (engine version 2). */
export interface CreateSignedKey extends Omit<CreateKey, 'kind' | 'secretHash'> {
  readonly kind: typeof CommandKind.createSignedKey;
  /** The 32 bytes of an Ed25519 public key (RFC 8032). */
  readonly publicKey: Uint8Array;
}

/** Creates a key whose requests are signed with HMAC-SHA256 (engine version 2). */
export interface CreateHmacKey extends Omit<CreateKey, 'kind' | 'secretHash'> {
  readonly kind: typeof CommandKind.createHmacKey;
  /** The encrypted secret. The engine cannot read it: the sealing key is not in the log. */
  readonly sealedSecret: Uint8Array;
}

/** Replaces the sealed secret of an HMAC key by the same secret under another sealing key. */
export interface ResealKey extends Actor {
  readonly kind: typeof CommandKind.resealKey;
  readonly apiKey: string;
  readonly sealedSecret: Uint8Array;
}

/**
 * Uses a signed request of the actor's key, which must precede what the request does (engine
 * version 2): each request can be used once.
 */
export interface UseSignature extends Actor {
  readonly kind: typeof CommandKind.useSignature;
  /** The first 16 bytes of the SHA-256 of the signed text. */
  readonly hash: Uint8Array;
  /** The end of the request's window, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Changes the label, the IP allowlist or both of a key (engine version 2). */
export interface ChangeKey extends Actor {
  readonly kind: typeof CommandKind.changeKey;
  readonly apiKey: string;
  /** Null to keep it. */
  readonly label: string | null;
  /** Null to keep them; empty for any address. */
  readonly addresses: readonly string[] | null;
}

export interface RevokeKey extends Actor {
  readonly kind: typeof CommandKind.revokeKey;
  readonly apiKey: string;
}
