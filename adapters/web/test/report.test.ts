// Records of the ledger's own, which are about no game.

import { expect, test } from 'vitest'

import { canonical } from '../src/canonical.ts'
import { counted, judge } from '../src/report.ts'

const none = '0'.repeat(64)
const own = (fair?: object): Uint8Array => {
  const event = { data: { name: 'verify/page.mjs', sha256: none }, ...(fair && { fair }), type: 'SoftwareReleased', v: 1 }
  const record = { at: '2026-11-29T20:00:05.000Z', cause: none, events: [event], game: '_software', n: 0, prev: none, v: 1 }
  return new TextEncoder().encode(canonical(JSON.parse(JSON.stringify(record))))
}

test('they leave nothing to chance', () => {
  const report = judge([own()])
  expect(report.levels.map((j) => j.verdict)).toEqual(['holds', 'unjudged', 'unjudged'])
  expect(report.trust).toBeUndefined()
})

test('and do not speak of it', () => {
  const report = judge([own({ reveal: { seed: none } })])
  expect(report.levels.map((j) => [j.verdict, j.record])).toEqual([['refused', 0], ['unjudged', undefined], ['unjudged', undefined]])
})

test('what there is one of is not counted as many', () => {
  expect([0, 1, 2].map((n) => counted(n, 'record'))).toEqual(['0 records', '1 record', '2 records'])
})
