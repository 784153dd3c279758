import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mergeConfig, type Plugin } from 'vite'
import { defineConfig, type ViteUserConfig as UserConfig } from 'vitest/config'

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

/** The licence of the hash library goes with every copy of it. */
const banner = `/*! SHA-256 and HMAC are those of @noble/hashes:\n${readFileSync('node_modules/@noble/hashes/LICENSE', 'utf8')}*/`

/** The pages: scripts that are to be read, and so are not made small. Only the verifier's
 *  has the hash library in it. */
const page: UserConfig = {
  plugins: [hashes()],
  build: {
    target: 'es2022',
    cssMinify: false,
    modulePreload: false,
    rollupOptions: {
      input: { verify: 'verify/index.html', fairness: 'fairness/index.html' },
      output: {
        entryFileNames: '[name]/page.mjs',
        assetFileNames: '[name]/page[extname]',
        banner: (chunk) => (chunk.name === 'verify' ? banner : ''),
      },
    },
  },
}

/** The verifier for Node: one file that needs no other. */
const command: UserConfig = {
  build: { ssr: 'src/command.ts', target: 'node20', rollupOptions: { output: { entryFileNames: 'verify.mjs', banner } } },
  ssr: { noExternal: true },
}

const both: UserConfig = {
  publicDir: false,
  build: { outDir: 'dist', emptyOutDir: false, minify: false }, // what git keeps there stays
  test: { include: ['test/**/*.test.ts'], testTimeout: 120_000, pool: 'threads', maxWorkers: 2 },
}

export default defineConfig(({ mode }) => mergeConfig(both, mode === 'command' ? command : page))
