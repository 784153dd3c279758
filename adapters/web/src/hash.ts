// The primitives of fair/1: one encoding, two hashes, one sampler.

import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'

export { bytesToHex as hex, hexToBytes as unhex, concatBytes, sha256 }

/** A field of an encoding: ASCII text, a whole number in decimal, or bytes as they are. */
export type Field = string | number | Uint8Array

const ascii = new TextEncoder()

/** M(f1, …): every field behind its length in two bytes, and "fair/1" before all. */
export function encode(...fields: Field[]): Uint8Array {
  const bytes = ['fair/1', ...fields].map((f) => (f instanceof Uint8Array ? f : ascii.encode(String(f))))
  const out = new Uint8Array(bytes.reduce((n, b) => n + 2 + b.length, 0))
  let at = 0
  for (const b of bytes) {
    out[at] = b.length >> 8
    out[at + 1] = b.length
    out.set(b, at + 2)
    at += 2 + b.length
  }
  return out
}

/** H(f1, …): the SHA-256 of the encoding. */
export const H = (...fields: Field[]): Uint8Array => sha256(encode(...fields))

/** F(key, f1, …): the HMAC-SHA-256 of the encoding. */
export const F = (key: Uint8Array, ...fields: Field[]): Uint8Array => hmac(sha256, key, encode(...fields))

/** The record's hash is its leaf hash in the ledger's tree: SHA-256(0x00 || payload). */
export const recordHash = (payload: Uint8Array): Uint8Array => sha256(concatBytes(Uint8Array.of(0), payload))

/** The link before y in the chain of a role ("s" for the server, or a seat). */
export const link = (game: string, role: 's' | number, y: Uint8Array): Uint8Array => H('link', game, role, y)

/** The link that lies n before the tip of a chain. */
export function walk(game: string, role: 's' | number, tip: Uint8Array, n: number): Uint8Array {
  const encoded = encode('link', game, role, tip) // its last field alone changes
  let y = tip
  for (let i = 0; i < n; i++) {
    encoded.set(y, encoded.length - y.length)
    y = sha256(encoded)
  }
  return y
}

/** Random words: blocks F(key, f…, c) for c = 0, 1, …, eight big-endian words each. */
export class Stream {
  private readonly fields: Field[]
  private words: number[] = []
  private blocks = 0

  constructor(
    private readonly key: Uint8Array,
    ...fields: Field[]
  ) {
    this.fields = fields
  }

  private word(): number {
    if (this.words.length === 0) {
      const block = new DataView(F(this.key, ...this.fields, this.blocks++).buffer)
      for (let i = 0; i < 32; i += 4) this.words.push(block.getUint32(i))
    }
    return this.words.shift() as number
  }

  /** U(n): uniform in 0…n-1. Words that would favour some values are thrown away. */
  below(n: number): number {
    const limit = 2 ** 32 - (2 ** 32 % n)
    for (;;) {
      const v = this.word()
      if (v < limit) return v % n
    }
  }
}

/** The order of a pile: the first is its top. L are the newest links of the seats. */
export function shuffled(seed: Uint8Array, game: string, s: number, L: Uint8Array[], cards: number[]): number[] {
  const a = [...cards]
  const stream = new Stream(seed, 'shuffle', game, s, ...L)
  for (let i = a.length - 1; i > 0; i--) {
    const j = stream.below(i + 1)
    const swapped = a[i] as number
    a[i] = a[j] as number
    a[j] = swapped
  }
  return a
}

/** What roll k gives for dice of these sides, counted from 0. */
export function rolled(x: Uint8Array, game: string, k: number, L: Uint8Array[], sides: number[]): number[] {
  const stream = new Stream(x, 'roll', game, k, ...L)
  return sides.map((n) => stream.below(n))
}

/** The salt of position i of pile s. */
export const leafSalt = (seed: Uint8Array, game: string, s: number, i: number): Uint8Array => F(seed, 'salt', game, s, i).slice(0, 16)

/** What binds a card to position i of pile s. */
export const leaf = (game: string, s: number, i: number, card: number, salt: Uint8Array): Uint8Array => H('leaf', game, s, i, card, salt)

/** The salt of a card in hand commitment h. */
export const envelopeSalt = (seed: Uint8Array, game: string, h: number, card: number): Uint8Array => F(seed, 'hsalt', game, h, card).slice(0, 16)

/** What binds a card to hand commitment h. */
export const envelope = (game: string, h: number, card: number, salt: Uint8Array): Uint8Array => H('hand', game, h, card, salt)
