// Records as bytes: a payload has one spelling only, so that no two programs read it
// differently. It is JSON with sorted keys, without spaces, of printable ASCII and whole
// numbers (RFC 8785, narrowed), and the frame and every part about chance have exactly the
// fields that are known.

/** What JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Says in one sentence why a game is refused, and at which step of the protocol. */
export class Refusal extends Error {
  constructor(
    readonly step: string,
    why: string,
  ) {
    super(why)
  }
}

/** The most bytes that a payload has: an entry's length in the ledger is 16 bits. */
const maxPayload = 65_535

/** Deeper than this no record is; it keeps a crafted one from exhausting the stack. */
const maxDepth = 64

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true }) // a byte order mark is a byte like any other

const printable = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/** Reads a payload, or refuses one that is not the only spelling of what it says. */
export function parseCanonical(payload: Uint8Array): Json {
  if (payload.length > maxPayload) throw new Refusal('record', `it has ${payload.length} bytes, more than ${maxPayload}`)
  const text = utf8.decode(payload)
  if (!printable(text)) throw new Refusal('record', 'it has a byte that is not printable ASCII')
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    throw new Refusal('record', 'it is not JSON')
  }
  if (canonical(value) !== text) throw new Refusal('record', 'its bytes are not the canonical ones of what they say')
  return value
}

/** The canonical text of a value. */
export function canonical(v: Json, depth = 0): string {
  if (depth > maxDepth) throw new Refusal('record', 'it is nested too deeply')
  if (typeof v === 'number' && !Number.isSafeInteger(v)) throw new Refusal('record', `${v} is not a whole number below 2^53`)
  if (typeof v === 'string' && !printable(v)) throw new Refusal('record', 'a text is not printable ASCII')
  if (v === null || typeof v !== 'object') return JSON.stringify(v)
  if (Array.isArray(v)) return `[${v.map((e) => canonical(e, depth + 1)).join()}]`
  const keys = Object.keys(v).sort()
  return `{${keys.map((k) => `${canonical(k)}:${canonical(v[k] as Json, depth + 1)}`).join()}}`
}

/** Takes a value for a T, or refuses it; `at` is where it stands. */
type Reader<T> = (v: Json, at: string) => T

type Readers = { [key: string]: Reader<unknown> }
type Read<R> = R extends Reader<infer T> ? T : never

function demand(holds: boolean, at: string, what: string): void {
  if (!holds) throw new Refusal('record', `${at} is not ${what}`)
}

/** An object with all of these keys, any of those, and no other. */
function fields<R extends Readers, O extends Readers>(must: R, may: O) {
  return (v: Json, at: string): { [K in keyof R]: Read<R[K]> } & { [K in keyof O]?: Read<O[K]> } => {
    demand(typeof v === 'object' && v !== null && !Array.isArray(v), at, 'an object')
    const object = v as { [key: string]: Json }
    for (const key of Object.keys(must)) demand(Object.hasOwn(object, key), at, `complete: ${key} is missing`)
    const out: { [key: string]: unknown } = {}
    for (const [key, value] of Object.entries(object)) {
      const read = Object.hasOwn(must, key) ? must[key] : Object.hasOwn(may, key) ? may[key] : undefined
      if (!read) throw new Refusal('record', `${at} has ${JSON.stringify(key)}, which is not known`)
      out[key] = read(value, `${at}.${key}`)
    }
    return out as { [K in keyof R]: Read<R[K]> } & { [K in keyof O]?: Read<O[K]> }
  }
}

/** A list that is not empty: an empty one is left out. */
function list<T>(read: Reader<T>): Reader<T[]> {
  return (v, at) => {
    demand(Array.isArray(v) && v.length > 0, at, 'a list with something in it')
    return (v as Json[]).map((e, i) => read(e, `${at}[${i}]`))
  }
}

function integer(low: number, high: number): Reader<number> {
  return (v, at) => {
    demand(Number.isSafeInteger(v) && low <= (v as number) && (v as number) <= high, at, `a whole number from ${low} to ${high}`)
    return v as number
  }
}

function text(pattern: RegExp, what: string): Reader<string> {
  return (v, at) => {
    demand(typeof v === 'string' && pattern.test(v), at, what)
    return v as string
  }
}

function only<T extends Json>(value: T): Reader<T> {
  return (v, at) => {
    demand(v === value, at, JSON.stringify(value))
    return value
  }
}

/** A moment to the millisecond that the calendar has. */
const moment: Reader<string> = (v, at) => {
  const time = typeof v === 'string' ? Date.parse(v) : NaN
  demand(!Number.isNaN(time) && new Date(time).toISOString() === v && v.length === 24, at, 'a moment such as 2026-11-29T20:00:05.000Z')
  return v as string
}

const hash = text(/^[0-9a-f]{64}$/, '32 bytes in hex')
const hashes = text(/^([0-9a-f]{64})*$/, 'hashes of 32 bytes in hex')
const salt = text(/^[0-9a-f]{32}$/, '16 bytes in hex')
const count = integer(0, Number.MAX_SAFE_INTEGER)
const card = integer(0, 65_535)
const seat = integer(0, 1)

/** Longer chains than this would only keep a verifier busy. */
const maxLen = 1 << 20

const partFields = fields(
  {},
  {
    ack: fields({ h: hash, seat }, {}),
    anchor: list(fields({ seat, y: hash }, { delegated: only(true) })),
    commit: fields({ alg: only('fair/1'), c: hash, len: integer(1, maxLen), seats: only(2), x: hash }, { duet: only(true) }),
    draw: fields({ i: list(count), s: count, to: integer(-1, 1) }, {}),
    hand: fields({ h: count, leaves: hashes, seat }, {}),
    link: fields({ seat, y: hash }, {}),
    open: list(fields({ card, i: count, s: count, salt }, {})),
    play: list(fields({ card, salt, seat }, {})),
    reveal: fields({ seed: hash }, {}),
    roll: fields({ k: count, out: list(count), sides: list(integer(1, 2 ** 31)), x: hash }, {}),
    shuffle: fields({ in: list(card), leaves: hashes, s: count }, {}),
  },
)

/** Everything that an event says of chance. */
export type Part = ReturnType<typeof partFields>

/** A part that says nothing is left out. */
const part: Reader<Part> = (v, at) => {
  const read = partFields(v, at)
  demand(Object.keys(read).length > 0, at, 'a part that says something')
  return read
}

/** The game's own part of an event, which a verifier of chance need not understand. */
const data: Reader<{ [key: string]: Json }> = (v, at) => {
  demand(typeof v === 'object' && v !== null && !Array.isArray(v), at, 'an object')
  return v as { [key: string]: Json }
}

const record = fields(
  {
    at: moment,
    cause: hash,
    events: list(fields({ data, type: text(/^[A-Z][A-Za-z]*$/, 'the name of an event'), v: integer(1, 1 << 20) }, { fair: part })),
    game: text(/^[0-9A-Za-z_-]{1,64}$/, 'the id of a game'),
    n: count,
    prev: hash,
    v: only(1),
  },
  { by: seat },
)

/** The events of one decision, as the ledger holds them. */
export type GameRecord = ReturnType<typeof record>

/** Reads a payload as a record. */
export function parseRecord(payload: Uint8Array): GameRecord {
  return record(parseCanonical(payload), 'it')
}
