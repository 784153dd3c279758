import { defineConfig } from 'vite'

// The verifier for Node: one file that needs no other, as readable as its sources.
export default defineConfig({
  publicDir: false,
  build: {
    ssr: 'src/command.ts',
    outDir: 'dist',
    emptyOutDir: false,
    minify: false,
    target: 'node20',
    rollupOptions: { output: { entryFileNames: 'verify.mjs' } },
  },
  ssr: { noExternal: true },
})
