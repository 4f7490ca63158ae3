import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { defaultLanguage } from '@keepsnap/contract/languages.ts'
import { wsPath } from '@keepsnap/contract/live.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import { productName } from '@keepsnap/contract/product.ts'
import react from '@vitejs/plugin-react'
import { join } from 'node:path'
import { defineConfig, type ProxyOptions } from 'vite'
import { languageOfBuild, translateMessages } from './build-language.ts'
import { smallRouter } from './small-router.ts'

/** Where `npm run dev` finds the server. */
const server = process.env['KEEPSNAP_SERVER'] ?? 'http://127.0.0.1:3000'

/** Sends API calls to the server. Vite serves the pages, also where a page and a call begin with the same segment. */
const toServer: ProxyOptions = {
  target: server,
  bypass: ({ headers, url = '' }) => {
    const isPage = Object.values<string>(pages).includes(url.split('?')[0] ?? '')
    return isPage && headers.accept?.includes('text/html') ? url : undefined
  },
}
const firstSegments = new Set(endpoints.map(({ path }) => `^/${path.split('/')[1]}(?=[/?]|$)`))

/** What every page with a form needs, in one file instead of nine. */
const formModules =
  /[\\/](ui[\\/](Field|PasswordField|Note)\.tsx|pages[\\/]AuthLayout\.tsx|lib[\\/]error-message\.ts|messages[\\/]en[\\/]session\.ts|contract[\\/](emails|passwords)\.ts|useMutation\.js|mutationObserver\.js)$/

/** What the pages with a password need besides. */
const passwordModules =
  /[\\/](ui[\\/]PasswordRules\.tsx|features[\\/]session[\\/](queries|messages)\.ts|lib[\\/]device-time-zone\.ts)$/

/** A print, and the paths and codes of sample pictures, which are on most of them. */
const printModules = /[\\/](ui[\\/]Print\.tsx|contract[\\/]samples\.ts|lib[\\/]sample-code-url\.ts)$/

const language = languageOfBuild(process.env['WEB_LANGUAGE'])
/** The files that are the same in all languages are only in the build of this one. */
const hasSharedFiles = language === defaultLanguage

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  publicDir: hasSharedFiles ? 'public' : false,
  plugins: [translateMessages(language), react(), smallRouter()],
  // index.html contains it as %VITE_PRODUCT_NAME%.
  define: {
    'import.meta.env.VITE_PRODUCT_NAME': JSON.stringify(productName),
    'import.meta.env.VITE_LANGUAGE': JSON.stringify(language),
  },
  resolve: { alias: { typebox: join(import.meta.dirname, 'no-schemas.ts') } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    // scripts/check-sizes.ts reads it.
    manifest: true,
    // Pictures stay files: browsers cache each of them, and the security policy needs no data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Without the names of modules: the first page has a list of the names of all files, and pays for each
        // character. A shorter hash is refused: it would not name as many files.
        chunkFileNames: 'assets/[hash:7].js',
        // Pictures and fonts as the builds of guest pages and rendered pages name them.
        assetFileNames: ({ names: [name = ''] }) =>
          name.endsWith('.css') ? 'assets/[hash:7][extname]' : 'assets/[name]-[hash][extname]',
        codeSplitting: {
          groups: [
            // What the first page needs of every part, in one file: it compresses better than its pieces.
            { name: 'app', tags: ['$initial'] },
            // Before the forms, whose layout contains a print.
            { name: 'print', test: printModules },
            { name: 'form', test: formModules },
            { name: 'password', test: passwordModules },
          ],
        },
      },
    },
    license: hasSharedFiles && { fileName: 'licences/packages.md' },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: {
      ...Object.fromEntries(Array.from(firstSegments, (segment) => [segment, toServer])),
      [`^${wsPath}(?=[/?]|$)`]: { target: server, ws: true },
    },
  },
})
