// The page /fairness in a browser, against the built files and a report like the server's.
// Where Chromium is not installed these tests are left out; in CI that is an error.

import { createServer, type Server } from 'node:http'
import { existsSync, readFileSync } from 'node:fs'
import { type AddressInfo } from 'node:net'
import { resolve } from 'node:path'

import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const executable = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)
if (!executable && process.env['CI']) throw new Error('the tests of the page need Chromium: apt-get install chromium')

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"

const d10 = {
  of: 'rolls', name: 'd10', n: 100, log10_e: -1.5, log10_max_e: 0.3, alarm: false, warning: false,
  names: [...'0123456789'], observed: [8, 12, 9, 11, 10, 10, 7, 13, 10, 10], expected: Array<number>(10).fill(10),
}
const week = (ends: string, p: number) => ({ ends, tests: [{ of: 'd10', name: 'faces', n: 100, value: 2.8, null: 'chi-squared', param: 9, p, holm: p }], log10_e: { 'rolls: d10': -1 } })
const honest = {
  position: 7, last: 7, at: '2026-11-29T20:00:05.000Z', records: 7, games: { begun: 2, open: 1, ended: 1, revealed: 1, voided: 0, aborted: { server: 1 } },
  faults: [], overdue: [], refused: [], alarm: false, warning: false, processes: [d10],
  tests: week('', 0.97).tests, weeks: [week('2026-11-23T00:00:00Z', 0.4), week('2026-11-30T00:00:00Z', 0.6)],
  accounts: { processes: 3, discoveries: [], advantages: [], aborts: [{ of: 'ada', games: 4, aborted: 1 }] },
}
const wrong = {
  ...honest, last: 9, alarm: true, processes: [{ ...d10, log10_max_e: 9, alarm: true }],
  faults: [{ game: 'g1', position: 5, why: 'record 2 of the game is there twice' }],
  refused: [{ game: 'g2', level: 'fair', record: 3, why: 'pile 0 is not in the order <b>that the seed derives</b>' }],
}

describe.skipIf(!executable)('the page /fairness', () => {
  let browser: Browser
  let server: Server
  let base: string
  let report: unknown = honest

  beforeAll(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://x').pathname
      const file = resolve(`dist${url === '/fairness/' ? '/fairness/index.html' : url}`)
      const type = { html: 'text/html', mjs: 'text/javascript', css: 'text/css' }[file.split('.').at(-1) ?? ''] ?? 'application/json'
      response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy })
      response.end(url === '/api/audit' ? JSON.stringify(report) : readFileSync(file))
    }).listen(0, '127.0.0.1')
    await new Promise((listening) => server.once('listening', listening))
    base = `http://localhost:${(server.address() as AddressInfo).port}`
    browser = await chromium.launch({
      executablePath: executable as string,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    })
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  async function open(of: unknown): Promise<[Page, string[]]> {
    report = of
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('pageerror', (e) => faults.push(e.message))
    page.on('console', (m) => m.type() === 'error' && faults.push(m.text()))
    await page.goto(`${base}/fairness/`)
    await page.waitForSelector('#found h2, #found .refused')
    return [page, faults]
  }

  test('an honest ledger', async () => {
    const [page, faults] = await open(honest)
    const text = (await page.textContent('#found')) ?? ''
    expect(text).toContain('Nothing is wrong.')
    expect(text).toContain('7 records of 2 games')
    expect(await page.locator('#found figure').count()).toBe(5) // wealth, its course, the d10, two spreads of p
    expect(await page.locator('svg rect title', { hasText: '3: 11, expected 10' }).count()).toBe(1)
    await page.evaluate(axe.source)
    const found = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run())
    expect(found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' ')}`)).toEqual([])
    expect(faults).toEqual([])
  })

  test('a ledger with faults', async () => {
    const [page, faults] = await open(wrong)
    const text = (await page.textContent('#found')) ?? ''
    for (const say of ['3 things are wrong.', 'Position 5, game g1', 'Game g2 is not fair, record 3', '<b>that', 'E = 10^9.0 after 100', 'at record 7 of 9']) expect(text).toContain(say)
    expect(await page.locator('svg rect.high').count()).toBe(1)
    expect(faults).toEqual([])
  })

  test('an empty ledger', async () => {
    const [page, faults] = await open({ ...honest, processes: [], tests: [], weeks: [], accounts: { ...honest.accounts, aborts: [] } })
    expect(await page.textContent('#found')).toContain('None stands out')
    expect(faults).toEqual([])
  })
})
