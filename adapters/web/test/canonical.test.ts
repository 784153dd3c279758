import { expect, test } from 'vitest'

import { canonical, parseCanonical, parseRecord, Refusal } from '../src/canonical.ts'

const bytes = (s: string): Uint8Array => Uint8Array.from(s, (c) => c.charCodeAt(0))

const hash = 'ab'.repeat(32)
const frame = { at: '2026-11-29T20:00:05.000Z', cause: hash, events: [{ data: {}, type: 'Resigned', v: 1 }], game: 'g', n: 0, prev: hash, v: 1 }

/** The frame with some keys replaced, or left out where they are undefined. */
const framed = (change: object): Uint8Array => bytes(canonical(JSON.parse(JSON.stringify({ ...frame, ...change }))))

const fair = (part: object): Uint8Array => framed({ events: [{ data: {}, fair: part, type: 'Resigned', v: 1 }] })

test('the only spelling is accepted', () => {
  for (const text of ['{}', '{"a":[1,-2,{"b":""}],"b":true,"c":null}', '"\\"\\\\"', '9007199254740991', '{"__proto__":1}']) {
    expect(canonical(parseCanonical(bytes(text)))).toBe(text)
  }
})

test.each([
  ['spaces', '{ }'],
  ['a newline behind', '{}\n'],
  ['keys out of order', '{"b":1,"a":2}'],
  ['a key twice', '{"a":1,"a":1}'],
  ['an escape that is not needed', '"\\u0041"'],
  ['an escaped slash', '"\\/"'],
  ['an escape of what is not printable', '"\\n"'],
  ['a letter beyond ASCII', '"\u00e9"'],
  ['a letter beyond ASCII in UTF-8', '"\u00c3\u00a9"'],
  ['a byte order mark', '\u00ef\u00bb\u00bf{}'],
  ['a control character', '"\x7f"'],
  ['an escaped letter beyond ASCII', '"\\u00e9"'],
  ['a fraction', '1.5'],
  ['a fraction that is whole', '1.0'],
  ['an exponent', '1e3'],
  ['minus zero', '-0'],
  ['a number that is too large', '9007199254740992'],
  ['two values', '{}{}'],
  ['half a value', '{"a":'],
  ['nothing', ''],
  ['a deep nest', '['.repeat(30_000) + ']'.repeat(30_000)],
  ['more bytes than a payload has', `"${'x'.repeat(65_535)}"`],
])('%s is refused', (_, text) => {
  expect(() => parseCanonical(bytes(text))).toThrow(Refusal)
})

test('a record is read', () => {
  expect(parseRecord(framed({}))).toEqual(frame)
  expect(parseRecord(framed({ by: 1 })).by).toBe(1)
  expect(parseRecord(fair({ ack: { h: hash, seat: 0 } })).events[0]?.fair?.ack?.h).toBe(hash)
})

test.each([
  ['a frame with an unknown key', framed({ extra: 1 })],
  ['a frame with a key in another case', framed({ n: undefined, N: 0 })],
  ['a frame without a key', framed({ cause: undefined })],
  ['no events', framed({ events: [] })],
  ['a seat that is not there', framed({ by: 2 })],
  ['an absent seat spelt out', framed({ by: null })],
  ['another version', framed({ v: 2 })],
  ['a negative number', framed({ n: -1 })],
  ['a moment that the calendar lacks', framed({ at: '2026-02-30T20:00:05.000Z' })],
  ['a moment of a year of more digits', framed({ at: '+010000-01-01T00:00:00.000Z' })],
  ['a moment without its milliseconds', framed({ at: '2026-11-29T20:00:05Z' })],
  ['a hash in capitals', framed({ prev: hash.toUpperCase() })],
  ['a short hash', framed({ prev: hash.slice(2) })],
  ['a game id with a space', framed({ game: 'a b' })],
  ['an event without data', framed({ events: [{ type: 'Resigned', v: 1 }] })],
  ['an event with a list for data', framed({ events: [{ data: [], type: 'Resigned', v: 1 }] })],
  ['a part that says nothing', fair({})],
  ['an unknown part of chance', fair({ luck: 1 })],
  ['a part in another case', fair({ Link: { seat: 0, y: hash } })],
  ['a part that is null', fair({ link: null })],
  ['an empty list of anchors', fair({ anchor: [] })],
  ['a draw of nothing', fair({ draw: { i: [], s: 0, to: 0 } })],
  ['a flag that is spelt out as false', fair({ anchor: [{ delegated: false, seat: 0, y: hash }] })],
  ['another protocol', fair({ commit: { alg: 'fair/2', c: hash, len: 4096, seats: 2, x: hash } })],
  ['a card beyond all decks', fair({ open: [{ card: 65_536, i: 0, s: 0, salt: '00'.repeat(16) }] })],
  ['a die without sides', fair({ roll: { k: 1, out: [0], sides: [0], x: hash } })],
  ['half a leaf', fair({ shuffle: { in: [1], leaves: 'ab', s: 0 } })],
])('%s is refused', (_, payload) => {
  expect(() => parseRecord(payload)).toThrow(Refusal)
})
