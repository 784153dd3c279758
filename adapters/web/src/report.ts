// What is found about a game, level by level: the same levels, verdicts and JSON as
// `chancery verify` gives, save that this program plays no game again by its rules.

import { type GameRecord, type Json, parseRecord, Refusal } from './canonical.ts'
import { Chance } from './fair.ts'
import { hex, recordHash, unhex } from './hash.ts'
import { NoSignatures, parseProof, ProofError, prove, type Trust } from './tlog.ts'

export type Level = 'consistent' | 'fair' | 'legal' | 'recorded'
export type Verdict = 'holds' | 'refused' | 'not yet' | 'unjudged'

/** The verdict at one level. */
export interface Judgement {
  level: Level
  verdict: Verdict
  record?: number // number of the record that was refused
  step?: string // of the protocol
  why?: string // one sentence
}

/** What is found about a game. */
export interface Report {
  game: string
  variant?: string
  result?: string
  reason?: string // of the end
  records: number
  head: string // hash of the last record, where they are consistent
  trust?: string
  levels: Judgement[]
}

const noHash = '0'.repeat(64)

/** The first level that is refused, if any. */
export const fault = (r: Report): Judgement | undefined => r.levels.find((j) => j.verdict === 'refused')

/** Judges a game by its payloads, in order; the level recorded is judged by judgeRecorded. */
export function judge(payloads: Uint8Array[]): Report {
  const history = new History()
  const consistent = history.read(payloads)
  const holds = consistent.verdict === 'holds'
  return {
    ...history.about,
    records: payloads.length,
    head: holds ? history.head : noHash,
    ...(holds && !history.ledgerWide() && { trust: history.trust() }),
    levels: [
      consistent,
      holds ? history.fair() : { level: 'fair', verdict: 'unjudged', why: 'the records are not consistent' },
      { level: 'legal', verdict: 'unjudged', why: 'this program knows no rules; chancery verify plays the game again by them' },
    ],
  }
}

/** Adds the level recorded. Without a proof or keys it stays unjudged. */
export async function judgeRecorded(r: Report, proof: string | undefined, trust: Trust): Promise<void> {
  const unjudged = (why: string): Judgement => ({ level: 'recorded', verdict: 'unjudged', why })
  r.levels.push(await recorded())

  async function recorded(): Promise<Judgement> {
    if (r.levels[0]?.verdict !== 'holds') return unjudged('the records are not consistent')
    if (proof === undefined) return unjudged("it takes the ledger's proof of the last record")
    try {
      await prove(unhex(r.head), parseProof(proof), trust)
      return { level: 'recorded', verdict: 'holds' }
    } catch (e) {
      if (e instanceof ProofError) return { level: 'recorded', verdict: 'refused', record: r.records - 1, why: e.message }
      if (e instanceof NoSignatures) return unjudged(e.message)
      throw e
    }
  }
}

/** The records of a game as far as they are consistent. */
class History {
  about: { game: string; variant?: string; result?: string; reason?: string } = { game: '' }
  head = noHash
  private readonly seen = new Map<string, number>() // hashes of records, and their numbers
  private chance = new Chance('')
  private revealed = 0 // number of the record that reveals the seed
  private lost: number | undefined // number of the record that says that the seed is lost
  private readonly stopped = new Set<number>() // seats that opened no further links

  /** Judges the level consistent. */
  read(payloads: Uint8Array[]): Judgement {
    if (payloads.length === 0) return { level: 'consistent', verdict: 'refused', why: 'there are no records' }
    for (const [n, payload] of payloads.entries()) {
      try {
        this.next(n, parseRecord(payload))
      } catch (e) {
        if (!(e instanceof Refusal)) throw e
        return { level: 'consistent', verdict: 'refused', record: n, step: e.step, why: e.message }
      }
      this.head = hex(recordHash(payload))
      this.seen.set(this.head, n)
    }
    return { level: 'consistent', verdict: 'holds' }
  }

  private next(n: number, r: GameRecord): void {
    if (n === 0) {
      this.chance = new Chance(r.game)
      this.about.game = r.game
    }
    if (r.n !== n) throw new Refusal('record', `it has the number ${r.n} where ${n} is due: a record is missing, added or out of place`)
    if (r.prev !== this.head) throw new Refusal('record', 'it does not name the hash of the record before it, so one of the two was changed')
    if (r.game !== this.about.game) throw new Refusal('record', `it is of game ${r.game} and not of ${this.about.game}`)
    let random = 0 // events of this record
    for (const [i, e] of r.events.entries()) {
      if (this.ledgerWide()) {
        if (e.fair) throw new Refusal('record', `event ${i} speaks of chance, and the ledger's own records have none`)
        continue
      }
      this.chance.take(e.fair, n === 0 && i === 0, this.seen)
      if (e.fair?.reveal) this.revealed = n
      if ((e.fair?.shuffle || e.fair?.roll) && ++random > 1 && this.chance.duet) {
        throw new Refusal('chance', `event ${i} is drawn by lot like one before it in the record; in duet each has a record of its own`)
      }
      this.note(n, e.type, e.data)
    }
  }

  /** The records are the ledger's own, about no game: its keys, the scripts of its pages. */
  ledgerWide(): boolean {
    return this.about.game.startsWith('_')
  }

  /** Keeps what the report says of the game beside chance. */
  private note(n: number, type: string, data: { [key: string]: Json }): void {
    const text = (key: string): string => (typeof data[key] === 'string' ? data[key] : '')
    if (type === 'GameCreated') this.about.variant = text('variant')
    if (type === 'GameEnded') this.about.result = text('result')
    if (type === 'GameEnded' || type === 'GameAborted') this.about.reason = text('reason')
    if (type === 'GameVoided' && text('reason') === 'seed_lost') this.lost = n
    if (type === 'LinksStopped') this.stopped.add(Number(data.seat))
  }

  /** Judges the level fair. */
  fair(): Judgement {
    if (this.ledgerWide()) return { level: 'fair', verdict: 'unjudged', why: "the ledger's own records leave nothing to chance" }
    if (!this.chance.seed) {
      if (this.lost === undefined) return { level: 'fair', verdict: 'not yet', why: 'the seed is not revealed yet' }
      return { level: 'fair', verdict: 'refused', record: this.lost, step: 'reveal', why: 'the seed was lost and can never be revealed' }
    }
    const why = this.chance.unfair()
    if (why) return { level: 'fair', verdict: 'refused', record: this.revealed, step: 'reveal', why }
    return { level: 'fair', verdict: 'holds' }
  }

  /** Who must have followed the protocol for the chance to be nobody's choice. */
  trust(): string {
    const own = this.chance.delegated.flatMap((delegated, seat) => (delegated ? [] : [`seat ${seat}`]))
    const parties = ['the server', ...own]
    const who = parties.length === 1 ? 'the server followed the protocol' : `at least one of ${parties.slice(0, -1).join(', ')} and ${parties.at(-1)} followed the protocol`
    const stopped = [...this.stopped].sort().map((seat) => `; seat ${seat} has lost its chain, and its last link alone protects it since`)
    return `Nobody chose the chance if ${who}${stopped.join('')}.`
  }
}

/** How many there are of what is named, in words: 1 game, 2 games. */
export const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

/** How many games there are; the ledger's own, which nobody plays, are none. */
export function tally(ids: string[]): string {
  const played = ids.filter((id) => !id.startsWith('_')).length
  return `${counted(played, 'game')}${played < ids.length ? " and the ledger's own records" : ''}`
}

/** The games of a file of records, one a line, and each game's payloads in order. A line
 *  that names no game belongs to the game before it. */
export function games(file: Uint8Array): Map<string, Uint8Array[]> {
  const found = new Map<string, Uint8Array[]>()
  let game = ''
  for (let start = 0; start < file.length; ) {
    const newline = file.indexOf(0x0a, start)
    const end = newline < 0 ? file.length : newline
    const line = file.subarray(start, end)
    game = gameOf(line) ?? game
    const payloads = found.get(game)
    if (payloads) payloads.push(line)
    else found.set(game, [line])
    start = end + 1
  }
  return found
}

function gameOf(line: Uint8Array): string | undefined {
  try {
    const { game } = JSON.parse(new TextDecoder().decode(line)) as { game?: unknown }
    return typeof game === 'string' ? game : undefined
  } catch {
    return undefined
  }
}
