import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/** Names in every page the hash of each file that it loads, so that the browser refuses
 *  another; and writes the SHA-256 of a file where the page says %SHA256:FILE%. */
function hashes(): Plugin {
  return {
    name: 'hashes',
    enforce: 'post',
    generateBundle(_, bundle) {
      const hash = (file: string, alg: string, as: 'hex' | 'base64'): string => {
        const built = bundle[file]
        if (!built) throw new Error(`no file ${file} is built`)
        return createHash(alg).update(built.type === 'chunk' ? built.code : built.source).digest(as)
      }
      for (const page of Object.values(bundle)) {
        if (page.type !== 'asset' || !page.fileName.endsWith('.html')) continue
        page.source = String(page.source)
          .replace(/ crossorigin (src|href)="\/([^"]+)"/g, (_, key, file) => ` ${key}="/${file}" integrity="sha384-${hash(file, 'sha384', 'base64')}"`)
          .replace(/%SHA256:([^%]+)%/g, (_, file) => hash(file, 'sha256', 'hex'))
      }
    },
  }
}

export default defineConfig({
  publicDir: false,
  plugins: [hashes()],
  build: {
    outDir: 'dist',
    emptyOutDir: false, // what git keeps there stays
    target: 'es2022',
    minify: false, // the page is to be read
    cssMinify: false,
    modulePreload: false,
    rollupOptions: {
      input: 'verify/index.html',
      output: { entryFileNames: 'verify/page.mjs', assetFileNames: 'verify/page[extname]' },
    },
  },
  test: { include: ['test/**/*.test.ts'], testTimeout: 120_000, pool: 'threads', maxWorkers: 2 },
})
