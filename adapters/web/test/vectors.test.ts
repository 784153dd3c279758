// The vectors that every implementation of fair/1 must reproduce.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { encode, envelope, envelopeSalt, F, H, hex, leaf, leafSalt, recordHash, rolled, shuffled, Stream, unhex, walk } from '../src/hash.ts'

type Vectors = {
  game: string
  seed: string
  commit: string
  'M(commit,g,seed)': string
  server_chain_len4: string[]
  seat0_chain_len4_tip_a0: string[]
  seat1_chain_len4_tip_b1: string[]
  shuffle_s0_links_y1: { [n: string]: { 'H(vector,leaves)': string; leaf0: string; leafLast: string; order: number[] } }
  'reshuffle_s1_links_y0[2]_y1[1]': { in: number[]; order: number[] }
  salt_s0_i0: string
  hand_h0_card7: { salt: string; leaf: string }
  rolls_links_y1: { k: number; sides: number[]; out: number[] }[]
  roll_k1_sides2880: number[]
  roll_k1_sides1610612736_x12: number[]
}

const v = JSON.parse(readFileSync(new URL('../../../domain/fair/testdata/fairness-vectors.json', import.meta.url), 'utf8')) as Vectors
const { game } = v
const seed = unhex(v.seed)
const server = v.server_chain_len4.map(unhex)
const y0 = v.seat0_chain_len4_tip_a0.map(unhex)
const y1 = v.seat1_chain_len4_tip_b1.map(unhex)
const first = [y0[1], y1[1]] as Uint8Array[]

test('the encoding and the commitment', () => {
  expect(hex(encode('commit', game, seed))).toBe(v['M(commit,g,seed)'])
  expect(hex(H('commit', game, seed))).toBe(v.commit)
})

test('the chains of the server and of both seats', () => {
  const tips: ['s' | number, Uint8Array, Uint8Array[]][] = [
    ['s', F(seed, 'tip', game), server], [0, new Uint8Array(32).fill(0xa0), y0], [1, new Uint8Array(32).fill(0xb1), y1],
  ]
  for (const [role, tip, chain] of tips) {
    for (let i = 0; i <= 4; i++) expect(hex(walk(game, role, tip, 4 - i))).toBe(hex(chain[i] as Uint8Array))
  }
})

for (const [n, want] of Object.entries(v.shuffle_s0_links_y1)) {
  test(`the shuffle of ${n} cards and its leaves`, () => {
    const cards = Array.from({ length: Number(n) }, (_, i) => i)
    const order = shuffled(seed, game, 0, first, cards)
    const leaves = order.map((card, i) => leaf(game, 0, i, card, leafSalt(seed, game, 0, i)))
    expect(order).toEqual(want.order)
    expect(hex(leaves[0] as Uint8Array)).toBe(want.leaf0)
    expect(hex(leaves.at(-1) as Uint8Array)).toBe(want.leafLast)
    expect(hex(H('vector', new Uint8Array(leaves.flatMap((l) => [...l]))))).toBe(want['H(vector,leaves)'])
  })
}

test('a later shuffle', () => {
  const { in: cards, order } = v['reshuffle_s1_links_y0[2]_y1[1]']
  expect(shuffled(seed, game, 1, [y0[2], y1[1]] as Uint8Array[], cards)).toEqual(order)
})

test('salts and envelopes', () => {
  expect(hex(leafSalt(seed, game, 0, 0))).toBe(v.salt_s0_i0)
  expect(hex(envelopeSalt(seed, game, 0, 7))).toBe(v.hand_h0_card7.salt)
  expect(hex(envelope(game, 0, 7, unhex(v.hand_h0_card7.salt)))).toBe(v.hand_h0_card7.leaf)
})

test('rolls', () => {
  for (const { k, sides, out } of v.rolls_links_y1) expect(rolled(server[k] as Uint8Array, game, k, first, sides)).toEqual(out)
  expect(rolled(server[1] as Uint8Array, game, 1, first, [2880])).toEqual(v.roll_k1_sides2880)
})

test('words that would favour some values are thrown away', () => {
  const sides = Array.from({ length: 12 }, () => 1_610_612_736)
  expect(rolled(server[1] as Uint8Array, game, 1, first, sides)).toEqual(v.roll_k1_sides1610612736_x12)
  const stream = new Stream(seed, 'x')
  for (let i = 0; i < 100; i++) expect(stream.below(1)).toBe(0)
})

test("a record's hash is the leaf hash of the ledger's tree", () => {
  // RFC 6962: the hash of an empty leaf is the SHA-256 of one zero byte.
  expect(hex(recordHash(new Uint8Array()))).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d')
})
