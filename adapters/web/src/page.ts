// The page /verify: takes files or the ID of a game, and shows what is found.

import { counted, fault, games, judge, judgeRecorded, tally, type Judgement, type Report } from './report.ts'
import { type Key, parseKey, ProofError, type Trust } from './tlog.ts'

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T
const files = element<HTMLInputElement>('files')
const game = element<HTMLInputElement>('game')
const keys = element<HTMLTextAreaElement>('keys')
const quorum = element<HTMLInputElement>('quorum')
const drop = element('drop')
const found = element('found')

/** More games than this are not shown one by one, save those that are refused. */
const maxShown = 20

/** What is to be judged, and against what. */
interface Case {
  records: Uint8Array
  proof: string | undefined
  trust: Trust
  note?: string
}

/** An element with a text or with others in it. */
function make(tag: string, inside: string | (Node | string)[], name = ''): HTMLElement {
  const e = document.createElement(tag)
  e.append(...(typeof inside === 'string' ? [inside] : inside))
  if (name) e.className = name
  return e
}

/** Keys as a person or a server lists them: a log signs with type 1, a witness with 4. */
function trusted(list: Key[], wanted?: number): Trust {
  const witnesses = list.filter((k) => k.type === 4)
  return { log: list.filter((k) => k.type === 1), witnesses, quorum: wanted ?? witnesses.length }
}

function ownKeys(): Trust {
  const list = keys.value.split(/\s+/).filter(Boolean).map(parseKey)
  return trusted(list, quorum.value === '' ? undefined : Number(quorum.value))
}

async function fromFiles(list: File[]): Promise<Case> {
  const proofs = list.filter((f) => f.name.endsWith('.tlog-proof'))
  const records = list.filter((f) => !proofs.includes(f))
  const bytes = await new Blob(records).arrayBuffer()
  const trust = ownKeys()
  const proof = trust.log.length > 0 ? await proofs[0]?.text() : undefined
  const note = proofs.length > 0 && proof === undefined ? 'The proof was left aside: say below whose signatures you trust, and open the files again.' : ''
  return { records: new Uint8Array(bytes), proof, trust, note }
}

async function fromServer(id: string): Promise<Case> {
  const at = `/api/games/${encodeURIComponent(id)}`
  const records = await fetch(`${at}/records`).catch(() => {
    throw new Error('The server cannot be reached. An exported file can be opened without it.')
  })
  if (records.status === 404) throw new Error(`This server has no game ${id}.`)
  if (!records.ok) throw new Error(`The server answered ${records.status}; try again later.`)
  const bytes = new Uint8Array(await records.arrayBuffer())
  // Of the record that was the last a moment ago: the game may go on meanwhile.
  const last = bytes.filter((b) => b === 0x0a).length - 1
  const proof = await fetch(`${at}/proof?n=${last}`)
  const own = ownKeys()
  const theirs = own.log.length === 0 && proof.ok
  return {
    records: bytes,
    proof: proof.ok ? await proof.text() : undefined,
    trust: theirs ? await serverKeys() : own,
    note: theirs ? 'The ledger was held against the keys that this server names itself. Give the keys you have from elsewhere to be sure.' : '',
  }
}

/** The keys that the server names, and the signature of one witness if it names any. */
async function serverKeys(): Promise<Trust> {
  const text = await (await fetch('/ledger/keys')).text()
  const list = (text.match(/[^\s"+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}(?![A-Za-z0-9+/=])/g) ?? []).map(parseKey)
  const trust = trusted(list)
  return { ...trust, quorum: Math.min(1, trust.witnesses.length) }
}

/** Judges every game of a case and shows what is found. */
async function show(asked: Promise<Case>): Promise<void> {
  found.replaceChildren(make('p', 'Verifying…'))
  try {
    const c = await asked
    const reports = await judgeAll(c)
    const refused = reports.filter((r) => fault(r))
    const shown = reports.length > maxShown ? refused : reports
    const sum = reports.length === 1 ? [] : [make('p', `${tally(reports.map((r) => r.game))}, ${refused.length} refused.`)]
    found.replaceChildren(make('h2', 'What was found'), ...sum, ...shown.map(reportOf), ...(c.note ? [make('p', c.note)] : []))
  } catch (e) {
    found.replaceChildren(make('p', e instanceof Error ? e.message : String(e), 'refused'))
  }
}

async function judgeAll(c: Case): Promise<Report[]> {
  const all = games(c.records)
  if (all.size === 0) throw new Error('There are no records in it. chancery export writes some.')
  if (all.size > 1 && c.proof !== undefined) throw new Error('A proof is of one game: open it with the records of that game alone.')
  const reports: Report[] = []
  for (const [id, payloads] of all) {
    const report = judge(payloads)
    report.game ||= id
    await judgeRecorded(report, c.proof, c.trust)
    reports.push(report)
    await new Promise((done) => setTimeout(done)) // the page stays alive
  }
  return reports
}

function reportOf(r: Report): HTMLElement {
  const end = [r.result, r.reason].filter(Boolean).join(' ')
  const about = [r.variant, counted(r.records, 'record'), end].filter(Boolean).join(', ')
  const head = make('tr', ['level', 'verdict', 'why'].map((t) => make('th', t)))
  for (const th of head.children) th.setAttribute('scope', 'col')
  const table = make('table', [make('thead', [head]), make('tbody', r.levels.map(row))])
  return make('section', [make('h3', `Game ${r.game}`), make('p', about), table, make('p', r.trust ?? '')])
}

const signs = { holds: '✓', refused: '✗', 'not yet': '…', unjudged: '–' }

function row(j: Judgement): HTMLElement {
  const level = make('th', j.level)
  level.setAttribute('scope', 'row')
  const where = j.record === undefined ? '' : `Record ${j.record}: `
  const name = j.verdict === 'holds' || j.verdict === 'refused' ? j.verdict : 'faint'
  return make('tr', [level, make('td', `${signs[j.verdict]} ${j.verdict}`, name), make('td', `${where}${j.why ?? ''}`)])
}

function open(list: Iterable<File>): void {
  const chosen = [...list]
  if (chosen.length > 0) void show(fromFiles(chosen))
}

files.addEventListener('change', () => open(files.files ?? []))
document.addEventListener('dragover', (e) => {
  e.preventDefault()
  drop.classList.add('over')
})
document.addEventListener('dragleave', () => drop.classList.remove('over'))
document.addEventListener('drop', (e) => {
  e.preventDefault()
  drop.classList.remove('over')
  open(e.dataTransfer?.files ?? [])
})
element<HTMLFormElement>('ask').addEventListener('submit', (e) => {
  e.preventDefault()
  if (game.value.trim()) void show(fromServer(game.value.trim()))
})
keys.addEventListener('change', () => {
  try {
    ownKeys()
    keys.setCustomValidity('')
  } catch (e) {
    keys.setCustomValidity(e instanceof ProofError ? e.message : String(e))
    keys.reportValidity()
  }
})

const asked = new URLSearchParams(location.search).get('game')
if (asked) {
  game.value = asked
  void show(fromServer(asked))
}
