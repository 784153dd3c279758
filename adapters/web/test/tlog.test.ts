import { expect, test } from 'vitest'

import { concatBytes, hex, recordHash, sha256, unhex } from '../src/hash.ts'
import { parseKey, parseNote, parseProof, ProofError, rootFrom, signedBy } from '../src/tlog.ts'

/** The root and the way to a leaf as RFC 6962 (2.1) defines them, by recursion. */
function tree(leaves: Uint8Array[]): Uint8Array {
  if (leaves.length === 1) return leaves[0] as Uint8Array
  const k = 2 ** Math.ceil(Math.log2(leaves.length) - 1)
  return sha256(concatBytes(Uint8Array.of(1), tree(leaves.slice(0, k)), tree(leaves.slice(k))))
}

function path(m: number, leaves: Uint8Array[]): Uint8Array[] {
  if (leaves.length === 1) return []
  const k = 2 ** Math.ceil(Math.log2(leaves.length) - 1)
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)]
  return m < k ? [...path(m, left), tree(right)] : [...path(m - k, right), tree(left)]
}

test('the tree is that of other implementations', () => {
  // The eight leaves with which Certificate Transparency logs are tested, and their root.
  const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
  const root = hex(tree(leaves.map((l) => recordHash(unhex(l)))))
  expect(root).toBe('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328')
})

test('every proof leads to the root, and no other does', () => {
  const all = Array.from({ length: 40 }, (_, i) => recordHash(Uint8Array.of(i)))
  for (let size = 1; size <= all.length; size++) {
    const leaves = all.slice(0, size)
    const root = hex(tree(leaves))
    for (let i = 0; i < size; i++) {
      const way = path(i, leaves)
      expect(hex(rootFrom(i, size, all[i] as Uint8Array, way))).toBe(root)
      expect(hex(rootFrom(i, size, recordHash(Uint8Array.of(99)), way))).not.toBe(root)
      expect(() => rootFrom(i, size, all[i] as Uint8Array, [...way, root].map(() => new Uint8Array(32)))).toThrow(ProofError)
      if (way.length > 0) expect(() => rootFrom(i, size, all[i] as Uint8Array, way.slice(1))).toThrow(ProofError)
    }
    expect(() => rootFrom(size, size, all[0] as Uint8Array, [])).toThrow(ProofError)
  }
})

// The example in the documentation of Go's package note.
const neumann = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
const signed = 'If you think cryptography is the answer to your problem,\nthen you don\'t know what your problem is.\n\n' +
  '\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n'

test('a signed note is believed', async () => {
  expect(await signedBy(parseNote(signed), parseKey(neumann))).toBe(true)
})

test('a note that was changed is not', async () => {
  await expect(signedBy(parseNote(signed.replace('think', 'thank')), parseKey(neumann))).rejects.toThrow(ProofError)
  expect(await signedBy(parseNote(signed.replaceAll('PeterNeumann', 'PeterNoymann')), parseKey(neumann))).toBe(false)
})

test.each([
  ['no key', ''],
  ['an id that is not its own', neumann.replace('c74f20a3', 'c74f20a4')],
  ['another name', neumann.replace('Peter', 'Petra')],
  ['a key of another kind', 'a+00000000+' + btoa('\x02' + 'x'.repeat(32))],
])('%s is refused', (_, key) => {
  expect(() => parseKey(key)).toThrow(ProofError)
})

test.each([
  ['nothing', ''],
  ['no signatures', 'a\nb\n'],
  ['a line that is no signature', 'a\n\nb\n'],
  ['a hyphen for a dash', signed.replace('\u2014', '-')],
  ['base64 that has another spelling', signed.replace('AM=', 'AN=')],
  ['a carriage return', signed.replace('problem,\n', 'problem,\r\n')],
  ['no newline at its end', signed.slice(0, -1)],
])('a note with %s is refused', (_, note) => {
  expect(() => parseNote(note)).toThrow(ProofError)
})

const h = btoa('x'.repeat(32))

test('a proof is read', () => {
  const { index, path } = parseProof(`c2sp.org/tlog-proof@v1\nextra eA==\nindex 7\n${h}\n\n${signed}`)
  expect([index, path.length]).toEqual([7, 1])
  expect(parseProof(`c2sp.org/tlog-proof@v1\nindex 0\n\n${signed}`).path).toEqual([])
})

test.each([
  ['another header', `c2sp.org/tlog-proof@v2\nindex 7\n\n${signed}`],
  ['no index', `c2sp.org/tlog-proof@v1\n${h}\n\n${signed}`],
  ['an index with a zero before it', `c2sp.org/tlog-proof@v1\nindex 07\n\n${signed}`],
  ['a short hash', `c2sp.org/tlog-proof@v1\nindex 7\neA==\n\n${signed}`],
  ['no checkpoint', 'c2sp.org/tlog-proof@v1\nindex 7\n'],
])('a proof with %s is refused', (_, proof) => {
  expect(() => parseProof(proof)).toThrow(ProofError)
})
