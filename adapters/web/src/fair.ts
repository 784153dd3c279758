// The protocol fair/1: what the parts about chance promise, and that they keep it. Nothing
// here knows a variant, a rule or a type of event.

import { type Part, Refusal } from './canonical.ts'
import { envelope, envelopeSalt, F, H, hex, leaf, leafSalt, link, rolled, shuffled, unhex, walk } from './hash.ts'

/** How long the chain of a seat is that the server keeps for it. */
const delegatedLen = 4096

interface Seat {
  anchor?: string
  delegated: boolean
  y: Uint8Array // newest opened link; the anchor before the first
  opened: boolean // ever
  fresh: boolean // since the last shuffle or roll
  acked: number // newest record that it says it has seen
  hand?: Hand // its newest commitment
  drawn: { s: number; i: number }[]
  played: number[]
}

interface Pile {
  cards: number[]
  leaves: string[]
  links: Uint8Array[]
  cursor: number
}

interface Hand {
  h: number
  seat: number
  leaves: string[]
  unused: Set<string>
  drawn: number // how many cards the seat had drawn by then
  played: number
}

/** Fails a step of the protocol. */
function demand(holds: boolean, step: string, why: string): asserts holds {
  if (!holds) throw new Refusal(step, why)
}

const split = (leaves: string): string[] => leaves.match(/.{64}/g) ?? []

/** Chance as one game's records tell it, from the first on. */
export class Chance {
  commit?: { c: string; x: string; len: number; duet: boolean }
  seed?: Uint8Array
  private readonly seats: Seat[] = [0, 1].map(() => ({
    delegated: false, y: new Uint8Array(), opened: false, fresh: false, acked: -1, drawn: [], played: [],
  }))
  private x = new Uint8Array() // newest opened link of the server's chain
  private k = 0 // rolls so far
  private readonly piles: Pile[] = []
  private readonly hands: Hand[] = []

  constructor(readonly game: string) {}

  /** Every seat adds a new link to each shuffle and roll. */
  get duet(): boolean {
    return this.commit?.duet === true
  }

  /** Which seats' chains the server keeps. */
  get delegated(): boolean[] {
    return this.seats.map((s) => s.delegated)
  }

  /** Takes the part of the next event. `first` says that no event came before it; `seen`
   *  has the hash of every record before its own, and its number. */
  take(part: Part | undefined, first: boolean, seen: ReadonlyMap<string, number>): void {
    demand(!first || part?.commit !== undefined, 'commit', 'the first event commits to no seed')
    if (!part) return
    demand(!this.seed, 'over', 'chance is spoken of after the seed was revealed')
    if (part.commit) this.committed(part.commit, first)
    for (const a of part.anchor ?? []) this.anchored(a)
    if (part.link) this.linked(part.link)
    if (part.ack) this.acknowledged(part.ack, seen)
    if (part.shuffle || part.roll) this.mixed()
    if (part.shuffle) this.shuffle(part.shuffle)
    if (part.draw) this.draw(part.draw)
    for (const o of part.open ?? []) this.open(o)
    for (const p of part.play ?? []) this.play(p)
    if (part.hand) this.hand(part.hand)
    if (part.roll) this.roll(part.roll)
    if (part.reveal) this.seed = unhex(part.reveal.seed)
  }

  private seat(n: number): Seat {
    return this.seats[n] as Seat
  }

  private links(): Uint8Array[] {
    return this.seats.map((s) => s.y)
  }

  private committed(c: NonNullable<Part['commit']>, first: boolean): void {
    demand(first, 'commit', 'a seed is committed to in the first event only')
    this.commit = { c: c.c, x: c.x, len: c.len, duet: c.duet === true }
    this.x = unhex(c.x) as Uint8Array<ArrayBuffer>
  }

  private anchored(a: NonNullable<Part['anchor']>[number]): void {
    const seat = this.seat(a.seat)
    demand(seat.anchor === undefined, 'anchor', `seat ${a.seat} has anchored a chain already`)
    seat.anchor = a.y
    seat.delegated = a.delegated === true
    seat.y = unhex(a.y)
  }

  private linked(l: NonNullable<Part['link']>): void {
    const seat = this.seat(l.seat)
    demand(this.seats.every((s) => s.anchor !== undefined), 'link', `seat ${l.seat} opens a link before every seat has anchored its chain`)
    demand(!seat.fresh, 'link', `seat ${l.seat} opens a second link between two random events`)
    const y = unhex(l.y)
    demand(hex(link(this.game, l.seat, y)) === hex(seat.y), 'link', `what seat ${l.seat} opens is not the next link of its chain`)
    Object.assign(seat, { y, opened: true, fresh: true })
  }

  private acknowledged(a: NonNullable<Part['ack']>, seen: ReadonlyMap<string, number>): void {
    const seat = this.seat(a.seat)
    const n = seen.get(a.h)
    demand(n !== undefined, 'ack', `seat ${a.seat} has seen a record that is not in this game before this one`)
    demand(n >= seat.acked, 'ack', `seat ${a.seat} acknowledges record ${n}, older than what it had seen`)
    seat.acked = n
  }

  /** The links that a shuffle or roll needs are there. */
  private mixed(): void {
    for (const [n, seat] of this.seats.entries()) {
      demand(seat.opened, 'chance', `something is drawn by lot before seat ${n} has opened a link`)
      demand(!this.commit?.duet || seat.fresh, 'chance', `something is drawn by lot without a new link of seat ${n}, which duet asks for`)
    }
    for (const seat of this.seats) seat.fresh = false
  }

  private shuffle(s: NonNullable<Part['shuffle']>): void {
    demand(s.s === this.piles.length, 'shuffle', `it is called shuffle ${s.s} where ${this.piles.length} is due`)
    demand(s.in.every((c, i) => i === 0 || (s.in[i - 1] as number) < c), 'shuffle', 'its cards are not in ascending order')
    const leaves = split(s.leaves)
    demand(leaves.length === s.in.length, 'shuffle', `it has ${leaves.length} leaves for ${s.in.length} cards`)
    this.piles.push({ cards: s.in, leaves, links: this.links(), cursor: 0 })
  }

  private draw(d: NonNullable<Part['draw']>): void {
    const pile = this.piles[d.s]
    demand(pile !== undefined, 'draw', `there is no pile ${d.s}`)
    for (const i of d.i) {
      demand(i === pile.cursor && i < pile.leaves.length, 'draw', `position ${i} of pile ${d.s} is drawn where ${pile.cursor} is next of ${pile.leaves.length}`)
      pile.cursor++
      if (d.to >= 0) this.seat(d.to).drawn.push({ s: d.s, i })
    }
  }

  private open(o: NonNullable<Part['open']>[number]): void {
    const pile = this.piles[o.s]
    demand(pile !== undefined && o.i < pile.cursor, 'open', `position ${o.i} of pile ${o.s} is opened before it is drawn`)
    const is = hex(leaf(this.game, o.s, o.i, o.card, unhex(o.salt)))
    demand(is === pile.leaves[o.i], 'open', `card ${o.card} is not what was laid at position ${o.i} of pile ${o.s}`)
  }

  private play(p: NonNullable<Part['play']>[number]): void {
    const seat = this.seat(p.seat)
    demand(seat.hand !== undefined, 'play', `seat ${p.seat} plays a card without a hand`)
    const is = hex(envelope(this.game, seat.hand.h, p.card, unhex(p.salt)))
    demand(seat.hand.unused.delete(is), 'play', `card ${p.card} is not in the hand that seat ${p.seat} was committed to`)
    seat.played.push(p.card)
  }

  private hand(c: NonNullable<Part['hand']>): void {
    demand(c.h === this.hands.length, 'hand', `it is called hand ${c.h} where ${this.hands.length} is due`)
    const seat = this.seat(c.seat)
    const leaves = split(c.leaves)
    const hand = { h: c.h, seat: c.seat, leaves, unused: new Set(leaves), drawn: seat.drawn.length, played: seat.played.length }
    this.hands.push(hand)
    seat.hand = hand
  }

  private roll(r: NonNullable<Part['roll']>): void {
    demand(r.k === this.k + 1, 'roll', `it is called roll ${r.k} where ${this.k + 1} is due`)
    demand(!this.commit || r.k <= this.commit.len, 'roll', `the server's chain has ${this.commit?.len} links, and this is roll ${r.k}`)
    const x = unhex(r.x) as Uint8Array<ArrayBuffer>
    demand(hex(link(this.game, 's', x)) === hex(this.x), 'roll', "what the server opens is not the next link of its chain")
    const out = rolled(x, this.game, r.k, this.links(), r.sides)
    demand(out.join() === r.out.join(), 'roll', `the links give ${out.join(', ')} and not ${r.out.join(', ')}`)
    this.x = x
    this.k = r.k
  }

  /** Says what the revealed seed does not derive as it should; undefined if it derives all. */
  unfair(): string | undefined {
    const { seed, commit, game } = this
    if (!seed || !commit) return 'no seed is revealed'
    if (hex(H('commit', game, seed)) !== commit.c) return 'the seed is not the one that was committed to'
    if (hex(walk(game, 's', F(seed, 'tip', game), commit.len)) !== commit.x) return "the server's chain is not the one that the seed derives"
    for (const [r, seat] of this.seats.entries()) {
      if (!seat.delegated) continue
      if (hex(walk(game, r, F(seed, 'seat', game, r), delegatedLen)) !== seat.anchor) return `the chain kept for seat ${r} is not the one that the seed derives`
    }
    const orders = this.piles.map((p, s) => shuffled(seed, game, s, p.links, p.cards))
    for (const [s, pile] of this.piles.entries()) {
      const order = orders[s] as number[]
      const wrong = order.findIndex((card, i) => hex(leaf(game, s, i, card, leafSalt(seed, game, s, i))) !== pile.leaves[i])
      if (wrong >= 0) return `position ${wrong} of pile ${s} is not the card ${order[wrong]} that the seed lays there`
    }
    const wrong = this.hands.find((hand) => !this.dealt(seed, hand, orders))
    return wrong && `hand ${wrong.h}, of seat ${wrong.seat}, is not what that seat had drawn and not yet played`
  }

  /** Whether a hand is what its seat had drawn by then, without what it had played. */
  private dealt(seed: Uint8Array, hand: Hand, orders: number[][]): boolean {
    const seat = this.seat(hand.seat)
    const held = seat.drawn.slice(0, hand.drawn).map(({ s, i }) => orders[s]?.[i] as number)
    for (const card of seat.played.slice(0, hand.played)) {
      const at = held.indexOf(card)
      if (at < 0) return false
      held.splice(at, 1)
    }
    const leaves = held.map((card) => hex(envelope(this.game, hand.h, card, envelopeSalt(seed, this.game, hand.h, card))))
    return leaves.sort().join() === hand.leaves.join()
  }
}
