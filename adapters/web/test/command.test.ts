// The command, as it is built.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { fault, type Report } from '../src/report.ts'
import { honest, keys, path } from './forged.ts'

function verify(args: string[], input = ''): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/verify.mjs', ...args], { input, encoding: 'utf8' })
  return { code: status, out: stdout, err: stderr }
}

const chess = path('chess.ndjson')
const proof = ['--proof', path('chess.tlog-proof')]
const trust = ['--log-key', keys.log, '--witness', keys.witness]

test('an honest game', () => {
  const { code, out } = verify([chess])
  expect([code, out]).toEqual([0, expect.stringMatching(/^game chess: chess, \d+ records.*\n  consistent  holds\n  fair        holds\n  legal       unjudged: .*\n  recorded    unjudged: .*\n/)])
})

test('a game that stands in the ledger', () => {
  const { code, out } = verify([chess, ...proof, ...trust])
  expect([code, out]).toEqual([0, expect.stringContaining('  recorded    holds\n')])
})

test('a proof of another game', () => {
  const { code, out } = verify([path('yugioh.ndjson'), ...proof, ...trust])
  expect([code, out]).toEqual([1, expect.stringMatching(/  recorded    REFUSED at record \d+: /)])
})

test('a lie, for programs', () => {
  const { code, out } = verify([path('chess.another-roll.ndjson'), '--json'])
  expect(code).toBe(1)
  expect(fault(JSON.parse(out) as Report)).toMatchObject({ level: 'consistent', record: 2, step: 'roll' })
})

test('many games in one file, their records mixed', () => {
  const files = honest.slice(0, 3).map((e) => readFileSync(path(e.file), 'utf8').trimEnd().split('\n'))
  const mixed: string[] = []
  for (let i = 0; files.some((f) => i < f.length); i++) for (const f of files) if (f[i]) mixed.push(f[i] as string)
  const all = `${mixed.join('\n')}\n`
  expect(verify(['-'], all)).toMatchObject({ code: 0, out: expect.stringContaining('\n3 games, 0 refused\n') })
  expect(verify(['-', '--game', 'nocastle'], all)).toMatchObject({ code: 0, out: expect.stringMatching(/^game nocastle: /) })
  expect(verify(['-'], mixed.toSpliced(7, 1).join('\n'))).toMatchObject({ code: 1, out: expect.stringContaining('\n3 games, 1 refused\n') })
  expect(verify(['-'], mixed.toSpliced(7, 0, '').join('\n'))).toMatchObject({ code: 1, out: expect.stringContaining('\n3 games, 1 refused\n') })
})

test.each([
  ['no file', [], 2],
  ['two files', [chess, chess], 2],
  ['an unknown flag', [chess, '--fast'], 2],
  ['a proof and no key', [chess, ...proof], 2],
  ['a key and no proof', [chess, ...trust], 2],
  ['a key that is none', [chess, ...proof, '--log-key', 'x'], 2],
  ['more witnesses asked for than named', [chess, ...proof, ...trust, '--quorum', '2'], 2],
  ['a file that is not there', [path('none.ndjson')], 1],
  ['nothing in the file', ['-'], 1],
  ['a game that is not in the file', [chess, '--game', 'none'], 1],
])('%s', (_, args, code) => {
  expect(verify(args)).toMatchObject({ code, out: '', err: expect.stringMatching(/^verify: ./) })
})

test('help has an example', () => {
  expect(verify(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('node verify.mjs FILE') })
})
