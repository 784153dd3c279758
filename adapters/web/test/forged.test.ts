// What the Go program plays is accepted, and what it forges is refused at the same level,
// record and step as it refuses it itself.

import { expect, test } from 'vitest'

import { parseRecord, type GameRecord } from '../src/canonical.ts'
import { fault, judge, judgeRecorded } from '../src/report.ts'
import { type Trust } from '../src/tlog.ts'
import { honest, lies, payloadsOf, read, trust } from './forged.ts'

test.each(honest)('$game is accepted', async ({ file, game }) => {
  const report = judge(payloadsOf(file))
  await judgeRecorded(report, read(`${game}.tlog-proof`), trust)
  expect(report.levels.map((j) => [j.level, j.verdict])).toEqual([
    ['consistent', 'holds'], ['fair', 'holds'], ['legal', 'unjudged'], ['recorded', 'holds'],
  ])
})

test.each(honest)('every beginning of $game is accepted', ({ file }) => {
  const payloads = payloadsOf(file)
  for (let n = 1; n < Math.min(payloads.length, 20); n++) {
    const report = judge(payloads.slice(0, n))
    expect(report.levels.slice(0, 2).map((j) => j.verdict)).toEqual(['holds', 'not yet'])
  }
})

// That the seed derives the chain which the server keeps for a seat is a rule of the game,
// and the one of which this verifier need not play the game: it asks for it at the reveal.
const derivable = "chain-of-the-server's-choice"

test.each(lies)('$game, $lie', async (lie) => {
  const report = judge(payloadsOf(lie.file))
  const found = fault(report)
  if (lie.lie === derivable) {
    expect([found?.level, found?.record, found?.step]).toEqual(['fair', report.records - 1, 'reveal'])
    return
  }
  if (lie.level === 'legal') {
    expect(found).toBeUndefined() // the rules tell it; and the ledger, which never saw it
    await judgeRecorded(report, read(`${lie.game}.tlog-proof`), trust)
    expect(fault(report)?.level).toBe('recorded')
    return
  }
  expect([found?.level, found?.record, found?.step], found?.why).toEqual([lie.level, lie.record, lie.step])
})

test('only signatures that are asked for are believed', async () => {
  const game = 'chess'
  const proof = read(`${game}.tlog-proof`)
  const cases: [string, Trust, string][] = [
    [proof, { ...trust, log: [] }, 'refused'],
    [proof, { ...trust, log: trust.witnesses }, 'refused'],
    [proof, { ...trust, witnesses: [], quorum: 1 }, 'refused'],
    [proof, { ...trust, witnesses: [...trust.witnesses, ...trust.witnesses], quorum: 2 }, 'refused'],
    [proof, { ...trust, witnesses: [], quorum: 0 }, 'holds'],
    [read('yugioh.tlog-proof'), trust, 'refused'],
    [proof.replace(/^index .*$/m, 'index 3'), trust, 'refused'],
    [proof.replace(/^\u2014 witness.*\n/m, ''), trust, 'refused'],
    [proof.replace(/^(\u2014 witness\S* ....)./m, '$1x'), trust, 'refused'],
    [proof.replace(/(?<=ledger\n)\d+$/m, (size) => String(Number(size) - 1)), trust, 'refused'],
  ]
  for (const [text, given, verdict] of cases) {
    const report = judge(payloadsOf(`${game}.ndjson`))
    await judgeRecorded(report, text, given)
    expect(report.levels[3]?.verdict, report.levels[3]?.why).toBe(verdict)
  }
})

// About so many bytes of each record; CHANCERY_BYTES=Infinity tries them all.
const sample = Number(process.env['CHANCERY_BYTES'] ?? 5)

const short = honest.filter(({ game }) => !game.endsWith('-whole'))

test.each(short)('a byte changed anywhere in $game is found', async ({ file, game }) => {
  const payloads = payloadsOf(file)
  const last = payloads.length - 1
  const proof = read(`${game}.tlog-proof`)
  for (const [n, payload] of payloads.entries()) {
    const step = Math.max(1, Math.floor(payload.length / sample / (n === last ? 4 : 1)))
    for (let i = n % step; i < payload.length; i += step) {
      const changed = payloads.with(n, replaced(payload, i))
      const report = judge(changed)
      const found = fault(report)
      if (found) {
        expect([n, n + 1]).toContain(found.record)
        continue
      }
      // Nothing follows the last record: what is not about chance there is fixed by the
      // rules, which are not judged here, and all of it by the ledger.
      expect(n).toBe(last)
      expect(chanceOf(changed[n] as Uint8Array)).toEqual(chanceOf(payload))
      await judgeRecorded(report, proof, trust)
      expect(fault(report)?.level).toBe('recorded')
    }
  }
}, sample > 5 ? 3_600_000 : undefined)

/** The payload with byte i replaced by another of its kind, so that it may still read well. */
function replaced(payload: Uint8Array, i: number): Uint8Array {
  const out = payload.slice()
  const c = String.fromCharCode(payload[i] as number)
  const kind = ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].find((k) => k.includes(c))
  out[i] = kind ? kind.charCodeAt((kind.indexOf(c) + 1) % kind.length) : (payload[i] as number) ^ 1
  return out
}

/** What a record says of its place in the game and of chance, save what the rules alone
 *  fix: how many sides a die has, where its result says nothing else, and who acknowledges. */
function chanceOf(payload: Uint8Array): Partial<GameRecord> & { parts: unknown[] } {
  const { n, prev, game, v, events } = parseRecord(payload)
  const parts = events.map(({ fair }) => fair && {
    ...fair,
    ...(fair.ack && { ack: fair.ack.h }),
    ...(fair.roll && { roll: { ...fair.roll, sides: fair.roll.sides.length } }),
  })
  return { n, prev, game, v, parts }
}
