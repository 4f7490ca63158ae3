import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vite'

const command = 'keepsnap-upload.mjs'

/** The command as one file for Node 20 or later, without packages: `vite build --config ../client/vite.config.ts`. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  ssr: { noExternal: true },
  plugins: [
    {
      name: 'executable',
      writeBundle: ({ dir = '' }) => chmodSync(join(dir, command), 0o755),
    },
  ],
  build: {
    ssr: 'command/keepsnap-upload.ts',
    outDir: 'dist',
    emptyOutDir: true,
    target: 'node20',
    minify: false,
    rolldownOptions: { output: { entryFileNames: command, codeSplitting: false, banner: '#!/usr/bin/env node' } },
  },
})
