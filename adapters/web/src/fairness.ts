// The page /fairness: shows what the standing audit of the server has found.

import { bars, courses, figures, wealths } from './plot.ts'

interface Wealth {
  of: string
  name: string
  n: number
  log10_e: number
  log10_max_e: number
  alarm: boolean
  warning: boolean
  names?: string[]
  observed?: number[]
  expected?: number[]
}

interface Test {
  of: string
  name: string
  n: number
  value: number
  null: 'chi-squared' | 'normal' | 'poisson'
  param?: number
  p: number
  holm: number
}

interface Finding {
  of: string
  what: string
  n: number
  log10_e: number
}

/** What /api/audit answers, as far as it is shown. */
interface Report {
  position: number
  last?: number
  at: string
  records: number
  games: { begun: number; open: number; ended: number; revealed: number; voided: number; aborted: Record<string, number> | null }
  faults: { game?: string; position: number; why: string }[]
  overdue: { game: string; reason?: string; since: string }[]
  refused: { game: string; level: string; record?: number; why: string }[]
  alarm: boolean
  warning: boolean
  processes: Wealth[]
  tests: Test[]
  weeks: { ends: string; tests?: Test[]; log10_e: Record<string, number>; discoveries?: Finding[] }[]
  accounts: { processes: number; discoveries: Finding[]; advantages: { of: string; z: number }[]; aborts: { of: string; games: number; aborted: number }[] }
  calibration?: { n: number; ks_p: number; uniformity_p: number; share_above_01: number; share_least: number; share_most: number; ok: boolean }
}

const found = document.getElementById('found') as HTMLElement

/** An element with a text or with others in it. */
function make(tag: string, inside: string | (Node | string)[], name = ''): HTMLElement {
  const e = document.createElement(tag)
  e.append(...(typeof inside === 'string' ? [inside] : inside))
  if (name) e.className = name
  return e
}

function list(items: string[], name = ''): HTMLElement {
  return make('ul', items.map((text) => make('li', text)), name)
}

/** A table that can be scrolled to the side, also with the keyboard. */
function table(caption: string, head: string[], rows: string[][]): HTMLElement {
  const cells = (tag: string, row: string[]): HTMLElement => make('tr', row.map((text) => make(tag, text)))
  const body = make('table', [make('caption', caption), make('thead', [cells('th', head)]), make('tbody', rows.map((row) => cells('td', row)))], 'numbers')
  const wide = make('div', [body], 'wide')
  wide.tabIndex = 0
  wide.setAttribute('role', 'region')
  wide.setAttribute('aria-label', caption)
  return wide
}

/** What is wrong, in sentences; nothing where all is well. */
function wrongs(r: Report): string[] {
  return [
    ...r.faults.map((f) => `Position ${f.position}, game ${f.game ?? ''}: ${f.why}.`),
    ...r.overdue.map((o) => `Game ${o.game} ended (${o.reason ?? ''}) at ${o.since}, and its seed is not revealed.`),
    ...r.refused.map((x) => `Game ${x.game} is not ${x.level}${x.record === undefined ? '' : `, record ${x.record}`}: ${x.why}.`),
    ...r.processes.filter((p) => p.alarm).map((p) => `${p.of}: ${p.name} does not look like chance, E = 10^${p.log10_max_e.toFixed(1)} after ${p.n}.`),
  ]
}

function summary(r: Report): HTMLElement[] {
  const wrong = wrongs(r)
  const aborted = Object.entries(r.games.aborted ?? {}).map(([reason, n]) => `${n} ${reason}`)
  const parts = [
    make('p', wrong.length === 0 ? 'Nothing is wrong.' : `${wrong.length} things are wrong.`, wrong.length === 0 ? 'holds' : 'refused'),
    make(
      'p',
      `${r.records} records of ${r.games.begun} games, the newest of ${r.at || 'no time'}. Revealed and judged: ${r.games.revealed}; open: ${r.games.open}` +
        `${r.games.voided > 0 ? `; void: ${r.games.voided}` : ''}.${aborted.length > 0 ? ` Ended without a result: ${aborted.join(', ')}.` : ''}`,
    ),
  ]
  if ((r.last ?? 0) > r.position) parts.push(make('p', `The audit still reads: it is at record ${r.position} of ${r.last}. Games that it has begun to read count as open.`))
  if (wrong.length > 0) parts.splice(1, 0, list(wrong.slice(0, 50), 'refused'))
  const warned = r.processes.filter((p) => p.warning && !p.alarm)
  if (warned.length > 0) parts.push(make('p', `Worth a look: ${warned.map((p) => `${p.of}, ${p.name}`).join('; ')}.`))
  return parts
}

/** The wealth of all gamblers: highest so far, and from week to week. */
function gamblers(r: Report): HTMLElement[] {
  const seen = r.processes.filter((p) => p.n > 0)
  if (seen.length === 0) return []
  const limits: [number, number] = [Math.log10(r.processes.length) + 3, Math.log10(r.processes.length) + 6]
  const rows = seen.map((p) => ({ name: `${p.of}: ${p.name}`, now: p.log10_e, highest: p.log10_max_e }))
  const parts = [make('h2', 'Bets against chance'), wealths(`The highest wealth of ${seen.length} gamblers, of ${r.processes.length} that bet`, rows, limits)]
  if (r.weeks.length > 1) {
    const names = seen.map((p) => `${p.of}: ${p.name}`)
    const series = names.map((name) => r.weeks.map((w) => w.log10_e[name] ?? 0))
    parts.push(courses('Their wealth at the end of each week', r.weeks.map((w) => w.ends.slice(0, 10)), series, limits[1]))
  }
  const numbers = seen.map((p) => [`${p.of}: ${p.name}`, String(p.n), `10^${p.log10_e.toFixed(2)}`, `10^${p.log10_max_e.toFixed(2)}`])
  parts.push(make('details', [make('summary', 'The numbers'), table('Wealth', ['of', 'seen', 'E now', 'highest'], numbers)]))
  return parts
}

function counts(r: Report): HTMLElement[] {
  const shown = r.processes.filter((p) => p.observed && p.expected && p.observed.length <= 20)
  if (shown.length === 0) return []
  const plots = shown.map((p) => bars(`${p.of}: ${p.name}, ${p.n}`, p.names ?? [], p.observed ?? [], p.expected ?? []))
  return [make('h2', 'What came, and what was expected'), make('p', 'Bars are what was counted, lines what chance expects.'), make('div', plots, 'plots')]
}

function statistic(t: Test): string {
  switch (t.null) {
    case 'chi-squared':
      return `χ²(${t.param ?? 0}) = ${figures(t.value)}`
    case 'poisson':
      return `${t.value}, expected ${figures(t.param ?? 0)}`
    case 'normal':
      return `z = ${t.value.toFixed(2)}`
  }
}

/** How p-values spread over ten classes. */
function spread(caption: string, values: number[]): HTMLElement {
  const classes = Array.from({ length: 10 }, (_, i) => values.filter((p) => Math.min(9, Math.floor(10 * p)) === i).length)
  const names = classes.map((_, i) => `.${i}`)
  return bars(caption, names, classes, classes.map(() => values.length / 10))
}

function tests(r: Report): HTMLElement[] {
  if (r.tests.length === 0) return []
  const smallest = r.tests.reduce((a, b) => (b.p < a.p ? b : a))
  const plots = [spread(`p-values of the ${r.tests.length} tests of everything so far`, r.tests.map((t) => t.p))]
  const weekly = r.weeks.flatMap((w) => (w.tests ?? []).map((t) => t.p))
  if (weekly.length > 0) plots.push(spread(`p-values of all weeks, each of its own rolls and shuffles, ${weekly.length}`, weekly))
  const parts = [
    make('h2', 'Tests'),
    make('p', `The smallest p is ${smallest.p.toFixed(4)}, of ${smallest.of}: ${smallest.name}; corrected for the number of tests ${smallest.holm.toFixed(4)}.`),
    make('div', plots, 'plots'),
  ]
  const c = r.calibration
  if (c) {
    const verdict = `${c.ok ? 'They are what p-values should be' : 'They are not what p-values should be'}: even between 0 and 1 by Kolmogorov and Smirnov p = ${c.ks_p.toFixed(4)}`
    parts.push(make('p', `${verdict}, by ten classes p = ${c.uniformity_p.toFixed(4)} (at least 0.0001), and ${(100 * c.share_above_01).toFixed(2)} % above 0.01 (${(100 * c.share_least).toFixed(2)} to ${Math.min(100, 100 * c.share_most).toFixed(2)} %).`, c.ok ? '' : 'refused'))
  }
  const rows = r.tests.map((t) => [`${t.of}: ${t.name}`, String(t.n), statistic(t), t.p.toFixed(4), t.holm.toFixed(4)])
  parts.push(make('details', [make('summary', 'All tests'), table('Tests', ['of', 'seen', 'statistic', 'p', 'corrected'], rows)]))
  return parts
}

function accounts(r: Report): HTMLElement[] {
  const a = r.accounts
  const named = [
    ...a.discoveries.map((d) => `${d.of}: ${d.what}, ${d.n} seen, E = 10^${d.log10_e.toFixed(1)}.`),
    ...a.advantages.map((x) => `${x.of}: results where chance can be foreseen differ from those where it cannot, z = ${x.z.toFixed(1)}.`),
  ]
  const parts = [
    make('h2', 'Accounts'),
    make('p', `First hands, own dice, and what was dealt in games that were broken off: ${a.processes} gamblers bet on accounts. ${named.length === 0 ? 'None stands out' : 'These stand out'} at the newest weekly report.`),
  ]
  if (named.length > 0) parts.push(list(named, 'refused'))
  if (a.aborts.length > 0) {
    const rows = a.aborts.map((x) => [x.of, String(x.games), String(x.aborted), `${((100 * x.aborted) / x.games).toFixed(1)} %`])
    parts.push(make('details', [make('summary', 'Games that ended without a result, by account'), table('Games without a result', ['account', 'games', 'of them', 'share'], rows)]))
  }
  return parts
}

async function show(): Promise<void> {
  try {
    const answer = await fetch('/api/audit')
    if (!answer.ok) throw new Error(`The server answered ${answer.status}; try again later.`)
    const r = (await answer.json()) as Report
    found.replaceChildren(...summary(r), ...gamblers(r), ...counts(r), ...tests(r), ...accounts(r))
  } catch (e) {
    found.replaceChildren(make('p', `The audit cannot be shown: ${e instanceof Error ? e.message : String(e)}`, 'refused'))
  }
}

await show()
