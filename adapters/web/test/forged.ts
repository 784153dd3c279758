// The games and lies that package tests/forge makes: the same for every verifier.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { games } from '../src/report.ts'
import { parseKey } from '../src/tlog.ts'

/** Where tests/forge/write and tests/forge/prove have put them; `make web-test` sees to it. */
const dir = resolve(process.env['CHANCERY_FORGED'] ?? '../../bin/forged')

export const path = (name: string): string => resolve(dir, name)
export const read = (name: string): string => readFileSync(path(name), 'utf8')

/** What has to be found in a file: nothing, or that a level refuses it. */
export interface Expectation {
  file: string
  game: string
  variant: string
  lie?: string
  level?: 'consistent' | 'fair' | 'legal'
  record?: number
  step?: string
}

const expected = JSON.parse(read('expect.json')) as Expectation[]

/** The honest games. */
export const honest = expected.filter((e) => !e.lie)

/** The lies about them. */
export const lies = expected.filter((e) => e.lie)

/** The payloads of a file that holds one game. */
export function payloadsOf(file: string): Uint8Array[] {
  const found = games(new Uint8Array(readFileSync(path(file))))
  const [payloads] = found.values()
  if (found.size !== 1 || !payloads) throw new Error(`${file} holds ${found.size} games`)
  return payloads
}

export const keys = JSON.parse(read('keys.json')) as { log: string; witness: string }

export const trust = { log: [parseKey(keys.log)], witnesses: [parseKey(keys.witness)], quorum: 1 }
