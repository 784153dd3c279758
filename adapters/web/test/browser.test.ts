// The page in a browser: Debian's Chromium, against the built files. Where Chromium is not
// installed these tests are left out; in CI that is an error.

import { createServer, type Server } from 'node:http'
import { existsSync, readFileSync } from 'node:fs'
import { type AddressInfo } from 'node:net'
import { resolve } from 'node:path'

import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { keys, path, read } from './forged.ts'

const executable = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)
if (!executable && process.env['CI']) throw new Error('the tests of the page need Chromium: apt-get install chromium')

const dist = resolve('dist')

/** Answers as the game server does: the page under its policy, records, proof and keys. */
function answer(url: string): [type: string, body: string | Buffer] | undefined {
  const game = /^\/api\/games\/([a-z0-9-]+)\/(records|proof)$/.exec(url)
  if (game) {
    const file = `${game[1]}.${game[2] === 'proof' ? 'tlog-proof' : 'ndjson'}`
    return existsSync(path(file)) ? ['text/plain', read(file)] : undefined
  }
  if (url === '/ledger/keys') return ['text/plain', `${keys.log}\n${keys.witness}\n`]
  const file = url === '/verify/' ? '/verify/index.html' : url
  const type = { html: 'text/html', mjs: 'text/javascript', css: 'text/css' }[file.split('.').at(-1) ?? '']
  return type && existsSync(dist + file) ? [type, readFileSync(dist + file)] : undefined
}

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"

describe.skipIf(!executable)('the page', () => {
  let browser: Browser
  let server: Server
  let base: string
  let spoilt = '' // what is added to the script on its way

  beforeAll(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://x').pathname
      const [type, body] = answer(url) ?? ['', '']
      response.writeHead(type ? 200 : 404, { 'Content-Type': type, 'Content-Security-Policy': policy })
      response.end(url === '/verify/page.mjs' ? body + spoilt : body)
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

  /** A page, and what it complained of. */
  async function open(at: string, options = {}): Promise<[Page, string[]]> {
    const page = await browser.newPage(options)
    const faults: string[] = []
    page.on('pageerror', (e) => faults.push(e.message))
    page.on('console', (m) => m.type() === 'error' && faults.push(m.text()))
    await page.goto(base + at)
    return [page, faults]
  }

  /** The verdicts that the page shows, once it does. */
  async function verdicts(page: Page): Promise<string[]> {
    await page.waitForSelector('#found table, #found .refused')
    return page.locator('#found tbody tr').evaluateAll((rows) => rows.map((r) => [...r.children].slice(0, 2).map((c) => c.textContent).join(' ')))
  }

  test('judges files without a connection', async () => {
    const [page, faults] = await open('/verify/')
    await page.context().setOffline(true)
    await page.setInputFiles('#files', path('yugioh.ndjson'))
    expect(await verdicts(page)).toEqual(['consistent ✓ holds', 'fair ✓ holds', 'legal – unjudged', 'recorded – unjudged'])
    await page.setInputFiles('#files', path('yugioh.another-roll.ndjson'))
    await page.waitForSelector('#found .refused')
    expect((await verdicts(page))[0]).toBe('consistent ✗ refused')
    expect(await page.textContent('#found')).toContain('Record 15: the links give')
    await page.fill('#game', 'chess')
    await page.click('button')
    await page.getByText('The server cannot be reached.').waitFor()
    expect(faults.filter((f) => !f.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
    await page.close()
  })

  test('judges a proof by the keys that it is given', async () => {
    const [page, faults] = await open('/verify/')
    const both = [path('chess.ndjson'), path('chess.tlog-proof')]
    await page.setInputFiles('#files', both)
    expect((await verdicts(page))[3]).toBe('recorded – unjudged')
    await page.click('summary')
    await page.fill('#keys', `${keys.log}\n${keys.witness}`)
    await page.setInputFiles('#files', [])
    await page.setInputFiles('#files', both)
    await page.waitForSelector('#found tr:nth-child(4) .holds')
    expect(faults).toEqual([])
    await page.close()
  })

  test('fetches a game by its ID', async () => {
    const [page, faults] = await open('/verify/?game=unochess')
    expect(await verdicts(page)).toEqual(['consistent ✓ holds', 'fair ✓ holds', 'legal – unjudged', 'recorded ✓ holds'])
    expect(await page.textContent('#found')).toContain('keys that this server names itself')
    expect(faults).toEqual([])
    await page.fill('#game', 'nowhere')
    await page.press('#game', 'Enter')
    await page.waitForSelector('#found .refused')
    expect(await page.textContent('#found')).toContain('no game nowhere')
    await page.close()
  })

  test('takes files that are dropped', async () => {
    const [page] = await open('/verify/')
    await page.evaluate((text) => {
      const data = new DataTransfer()
      data.items.add(new File([text], 'a.ndjson'))
      document.querySelector('#drop')?.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }))
    }, read('chessuno.ndjson'))
    expect((await verdicts(page))[1]).toBe('fair ✓ holds')
    await page.close()
  })

  test('runs no other script than the one it names', async () => {
    spoilt = '\nconsole.log("spoilt")'
    const [page, faults] = await open('/verify/?game=chess')
    spoilt = ''
    expect(faults.join()).toContain('integrity')
    expect(await page.textContent('#found')).toBe('')
    await page.close()
  })

  test.each(['light', 'dark'] as const)('can be used by everybody, %s', async (colorScheme) => {
    const [page] = await open('/verify/?game=chess', { colorScheme, bypassCSP: true })
    await verdicts(page)
    await page.click('summary')
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run())
    expect(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join()}`)).toEqual([])
    await page.close()
  })
})
