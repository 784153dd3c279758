// The verifier as a command under Node: node verify.mjs FILE.

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { counted, fault, games, judge, judgeRecorded, tally, type Judgement, type Report } from './report.ts'
import { parseKey, ProofError, type Trust } from './tlog.ts'

const help = `Judges games by their exported records (one a line; - is standard input), without any
server. Says which levels hold: consistent (nothing contradicts what was promised before),
fair (the revealed seed derives it all), recorded (the public ledger holds it). The level
legal, which takes the rules, is judged by chancery verify.

    node verify.mjs FILE [--game ID] [--json]
    node verify.mjs FILE --proof FILE.tlog-proof --log-key VKEY [--witness VKEY]… [--quorum N]

  --game ID        which game of the file; all of them if left out
  --proof FILE     the ledger's proof of the game's last record (C2SP tlog-proof)
  --log-key VKEY   key of the ledger that you trust, NAME+ID+KEY; may be repeated
  --witness VKEY   key of a witness that you trust; may be repeated
  --quorum N       how many of the witnesses must have signed; all of them if left out
  --json           one report a line, for programs

Exit code 0: nothing is refused; 1: something is, or there is nothing to judge; 2: usage.
`

class UsageError extends Error {}

interface Command {
  file: string
  game: string | undefined
  json: boolean
  proof: string | undefined
  trust: Trust
}

function parse(args: string[]): Command {
  const { values: v, positionals } = options(args)
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('name one file of exported records')
  const witnesses = (v.witness ?? []).map(parseKey)
  const quorum = v.quorum === undefined ? witnesses.length : Number(v.quorum)
  if (!Number.isInteger(quorum) || quorum < 0 || quorum > witnesses.length) throw new UsageError(`--quorum ${v.quorum} needs as many witnesses`)
  const log = (v['log-key'] ?? []).map(parseKey)
  if (v.proof !== undefined && log.length === 0) throw new UsageError('--proof needs the ledger\'s key: --log-key VKEY')
  if (v.proof === undefined && log.length + witnesses.length > 0) throw new UsageError('keys say whose proof to believe: give it with --proof FILE')
  return { file, game: v.game, json: v.json ?? false, proof: v.proof, trust: { log, witnesses, quorum } }
}

function options(args: string[]) {
  return parseArgs({
    args, allowPositionals: true,
    options: {
      game: { type: 'string' }, json: { type: 'boolean' }, proof: { type: 'string' }, quorum: { type: 'string' },
      'log-key': { type: 'string', multiple: true }, witness: { type: 'string', multiple: true },
    },
  })
}

/** Judges the games of the file, prints what is found and gives the exit code. */
async function run(c: Command): Promise<number> {
  const found = games(new Uint8Array(readFileSync(c.file === '-' ? 0 : c.file)))
  const chosen = c.game === undefined ? [...found] : [...found].filter(([id]) => id === c.game)
  if (chosen.length === 0) {
    throw new Error(c.game === undefined ? 'there are no records in it; chancery export writes some' : `the file holds no game ${c.game}`)
  }
  if (c.proof !== undefined && chosen.length > 1) throw new UsageError('a proof is of one game: say which with --game ID')
  const proof = c.proof === undefined ? undefined : readFileSync(c.proof, 'utf8')
  let refused = 0
  for (const [id, payloads] of chosen) {
    const report = judge(payloads)
    report.game ||= id
    await judgeRecorded(report, proof, c.trust)
    if (fault(report)) refused++
    process.stdout.write(c.json ? `${JSON.stringify(report)}\n` : text(report))
  }
  if (chosen.length > 1 && !c.json) process.stdout.write(`${tally(chosen.map(([id]) => id))}, ${refused} refused\n`)
  return refused > 0 ? 1 : 0
}

function text(r: Report): string {
  const end = [r.result, r.reason].filter(Boolean).join(' ')
  const about = [r.variant, counted(r.records, 'record'), end].filter(Boolean).join(', ')
  const levels = r.levels.map((j) => `  ${j.level.padEnd(10)}  ${verdict(j)}\n`)
  return `game ${r.game}: ${about}\n${levels.join('')}${r.trust ? `${r.trust}\n` : ''}`
}

function verdict(j: Judgement): string {
  if (j.verdict === 'refused') return `REFUSED at record ${j.record ?? 0}: ${j.why}`
  return j.why ? `${j.verdict}: ${j.why}` : j.verdict
}

function isUsage(e: unknown): boolean {
  return e instanceof UsageError || e instanceof ProofError || (e instanceof TypeError && 'code' in e)
}

// Whoever reads the output may stop reading.
process.stdout.on('error', () => process.exit(1))

const args = process.argv.slice(2)
if (args.some((a) => a === '--help' || a === '-h')) {
  process.stdout.write(help)
} else {
  try {
    process.exitCode = await run(parse(args))
  } catch (e) {
    process.stderr.write(`verify: ${e instanceof Error ? e.message : e}\n`)
    process.exitCode = isUsage(e) ? 2 : 1
    if (process.exitCode === 2) process.stderr.write('Say --help for an example.\n')
  }
}
