import { all } from '@keepsnap/contract/all.ts'
import { wsPath } from '@keepsnap/contract/live.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import react from '@vitejs/plugin-react'
import { defineConfig, type ProxyOptions } from 'vite'
import {
  callsWithoutSchemas,
  earlyFont,
  namedPage,
  oneFirstScript,
  oneFormScript,
  stylesFromFilesOnly,
} from './vite-plugins.ts'

/** Where `npm run dev` finds the server. */
const server = process.env['KEEPSNAP_SERVER'] ?? 'http://127.0.0.1:3000'

/** Calls go to the server; page loads stay with Vite, also where both have the same first part. */
const toServer: ProxyOptions = {
  target: server,
  bypass: ({ headers, url = '' }) => {
    const isPage = Object.values<string>(pages).includes(url.split('?')[0] ?? '')
    return isPage && headers.accept?.includes('text/html') ? url : undefined
  },
}
const firstParts = new Set(all.map(({ path }) => `^/${path.split('/')[1]}(?=[/?]|$)`))

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [callsWithoutSchemas(), react(), namedPage(), earlyFont(), stylesFromFilesOnly()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    // scripts/check-sizes.ts reads it.
    manifest: true,
    // Pictures stay files: cached on their own, and the security policy needs no data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [oneFirstScript(), oneFormScript()] } } },
    license: { fileName: 'licences/packages.md' },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: {
      ...Object.fromEntries(Array.from(firstParts, (part) => [part, toServer])),
      [`^${wsPath}(?=[/?]|$)`]: { target: server, ws: true },
    },
  },
})
