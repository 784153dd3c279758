// The public ledger: that a record stands in it, under a checkpoint that the log and its
// witnesses have signed. The formats are those of C2SP (tlog-proof, tlog-checkpoint,
// signed-note, tlog-cosignature); the tree is that of RFC 6962.
//
// Signatures are checked by the browser or by Node (WebCrypto's Ed25519), so that nobody
// has to read an implementation of a curve here.

import { concatBytes, hex, sha256 } from './hash.ts'

const utf8 = new TextEncoder()

/** Says in one sentence why a proof proves nothing. */
export class ProofError extends Error {}

/** A browser offers signatures only to pages that came over https or from localhost. */
export class NoSignatures extends Error {
  constructor() {
    super('this program has no Ed25519 here: open the page over https or on localhost, or use Node')
  }
}

function demand(holds: boolean, why: string): asserts holds {
  if (!holds) throw new ProofError(why)
}

function unbase64(text: string, what: string): Uint8Array<ArrayBuffer> {
  let binary: string | undefined
  try {
    binary = atob(text)
  } catch {
    binary = undefined
  }
  demand(binary !== undefined && btoa(binary) === text, `${what} is not base64`)
  return Uint8Array.from(binary, (c) => c.charCodeAt(0))
}

/** Reads a whole number as the formats write it: decimal, no leading zero. */
function decimal(text: string, what: string): number {
  const n = Number(text)
  demand(/^(0|[1-9][0-9]*)$/.test(text) && Number.isSafeInteger(n), `${what} is not a whole number`)
  return n
}

/** The root of the tree of `size` leaves in which leaf `index` has this hash, and these
 *  hashes lie beside its way up, lowest first. */
export function rootFrom(index: number, size: number, leafHash: Uint8Array, path: Uint8Array[]): Uint8Array {
  demand(index < size, `entry ${index} is not in a tree of ${size}`)
  let [at, last, root] = [index, size - 1, leafHash]
  for (const beside of path) {
    demand(last > 0, 'the proof has more hashes than the tree has levels')
    if (at % 2 === 1 || at === last) {
      root = node(beside, root)
      // A last node without a sibling goes up unchanged until it is a right child.
      while (at % 2 === 0 && at > 0) [at, last] = [at / 2, Math.floor(last / 2)]
    } else {
      root = node(root, beside)
    }
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  demand(last === 0, 'the proof has fewer hashes than the tree has levels')
  return root
}

const node = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(concatBytes(Uint8Array.of(1), left, right))

/** A public key that signs notes, as vkeys write it: NAME+ID+KEY. */
export interface Key {
  name: string
  id: string // eight hex digits
  type: number // 1: signs the text; 4: signs it with the time, as witnesses do
  key: Uint8Array<ArrayBuffer>
}

/** Reads a vkey and checks that its id is that of its key. */
export function parseKey(vkey: string): Key {
  const [, name = '', id = '', rest = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(vkey) ?? []
  demand(name !== '', `${JSON.stringify(vkey)} is not a key such as NAME+0123abcd+BASE64`)
  const bytes = unbase64(rest, `the key of ${name}`)
  const [type, key] = [bytes[0] as number, bytes.slice(1)]
  demand((type === 1 || type === 4) && key.length === 32, `the key of ${name} is not an Ed25519 key of a log or a witness`)
  const is = hex(sha256(concatBytes(utf8.encode(`${name}\n`), bytes)).slice(0, 4))
  demand(is === id, `the key of ${name} has the id ${is} and not ${id}`)
  return { name, id, type, key }
}

/** A signed note: a text, and the signatures below it. */
export interface Note {
  text: string
  signatures: { name: string; id: string; bytes: Uint8Array<ArrayBuffer> }[]
}

/** Reads a signed note; nothing in it is to be believed before a signature is checked. */
export function parseNote(note: string): Note {
  const end = note.lastIndexOf('\n\n')
  demand(end >= 0 && note.endsWith('\n') && !/[\x00-\x09\x0b-\x1f]/.test(note), 'the checkpoint is not a signed note')
  const signatures = note.slice(end + 2, -1).split('\n').map((line) => {
    const [, name = '', signature = ''] = /^\u2014 ([^\s+]+) (\S+)$/.exec(line) ?? []
    demand(name !== '', 'the checkpoint has a line among its signatures that is none')
    const bytes = unbase64(signature, `the signature of ${name}`)
    demand(bytes.length > 4, `the signature of ${name} is too short`)
    return { name, id: hex(bytes.slice(0, 4)), bytes: bytes.slice(4) }
  })
  return { text: note.slice(0, end + 1), signatures }
}

/** Whether a key has signed the note. A signature of that key which does not verify makes
 *  the whole note worthless. */
export async function signedBy(note: Note, key: Key): Promise<boolean> {
  const own = note.signatures.filter((s) => s.name === key.name && s.id === key.id)
  for (const { bytes } of own) {
    const [signature, text] = key.type === 4 ? timed(note.text, bytes) : [bytes, note.text]
    demand(await ed25519(key.key, signature, utf8.encode(text)), `the signature of ${key.name} does not verify`)
  }
  return own.length > 0
}

/** A witness signs the text behind the time at which it saw it. */
function timed(text: string, bytes: Uint8Array<ArrayBuffer>): [Uint8Array<ArrayBuffer>, string] {
  demand(bytes.length === 72, 'the signature of a witness has not 72 bytes')
  const time = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0)
  return [bytes.slice(8), `cosignature/v1\ntime ${time}\n${text}`]
}

async function ed25519(key: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>, text: Uint8Array): Promise<boolean> {
  const subtle = globalThis.crypto?.subtle
  if (!subtle) throw new NoSignatures()
  let imported: CryptoKey
  try {
    imported = await subtle.importKey('raw', key, 'Ed25519', false, ['verify'])
  } catch {
    throw new NoSignatures()
  }
  return subtle.verify('Ed25519', imported, signature, new Uint8Array(text))
}

/** Whose signatures are asked for. */
export interface Trust {
  log: Key[] // one of them must have signed; several while a log changes its key
  witnesses: Key[]
  quorum: number // so many of the witnesses must have signed too
}

/** A proof that an entry stands in the ledger. */
export interface Proof {
  index: number
  path: Uint8Array[]
  checkpoint: Note
}

/** Reads a proof in the format c2sp.org/tlog-proof@v1. */
export function parseProof(text: string): Proof {
  const end = text.indexOf('\n\n')
  demand(end >= 0, 'the proof has no checkpoint')
  const lines = text.slice(0, end).split('\n')
  demand(lines.shift() === 'c2sp.org/tlog-proof@v1', 'the proof does not begin with c2sp.org/tlog-proof@v1')
  if (lines[0]?.startsWith('extra ')) lines.shift()
  const [, index = ''] = /^index (.*)$/.exec(lines.shift() ?? '') ?? []
  const path = lines.map((line) => unbase64(line, 'a hash of the proof'))
  demand(path.every((h) => h.length === 32), 'a hash of the proof has not 32 bytes')
  return { index: decimal(index, 'the index of the proof'), path, checkpoint: parseNote(text.slice(end + 2)) }
}

/** Passes if the entry of that leaf hash stands in the ledger; otherwise a ProofError says
 *  what is missing, or NoSignatures that this program cannot tell. */
export async function prove(leafHash: Uint8Array, proof: Proof, trust: Trust): Promise<void> {
  const [origin = '', size = '', root = ''] = proof.checkpoint.text.split('\n')
  const is = rootFrom(proof.index, decimal(size, 'the size of the tree'), leafHash, proof.path)
  demand(hex(is) === hex(unbase64(root, 'the root of the tree')), 'the record is not the one that the proof is about: the hashes lead to another root')
  demand(trust.log.length > 0, 'no key of the log is given')
  let log = false
  for (const key of trust.log) {
    if (key.name === origin && key.type === 1 && (await signedBy(proof.checkpoint, key))) log = true
  }
  demand(log, `the checkpoint of ${origin} is not signed by the log's key`)
  const witnesses = new Set<string>()
  for (const key of trust.witnesses) {
    if (key.type === 4 && (await signedBy(proof.checkpoint, key))) witnesses.add(hex(key.key))
  }
  demand(witnesses.size >= trust.quorum, `${witnesses.size} of the witnesses have signed the checkpoint, and ${trust.quorum} are asked for`)
}
