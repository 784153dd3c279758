// The games and lies that package tests/forge makes: the same for every verifier.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { games } from '../src/report.ts'
import { parseKey } from '../src/tlog.ts'

/** Where `go run ./tests/forge/write DIR` has put them; `make web-test` sees to it. */
const dir = resolve(process.env['CHANCERY_FORGED'] ?? '../../bin/forged')

export const read = (name: string): string => readFileSync(resolve(dir, name), 'utf8')

export const forged = JSON.parse(read('forged.json')) as {
  games: string[]
  lies: { game: string; name: string; level: 'consistent' | 'fair' | 'legal'; record: number; step?: string }[]
  log_key: string
  witness_key: string
}

/** The payloads of a file that holds one game. */
export function payloadsOf(name: string): Uint8Array[] {
  const found = games(new Uint8Array(readFileSync(resolve(dir, `${name}.ndjson`))))
  const [payloads] = found.values()
  if (found.size !== 1 || !payloads) throw new Error(`${name} holds ${found.size} games`)
  return payloads
}

export const trust = { log: [parseKey(forged.log_key)], witnesses: [parseKey(forged.witness_key)], quorum: 1 }
