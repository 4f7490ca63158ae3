import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { defaultLanguage } from '@keepsnap/contract/languages.ts'
import { wsPath } from '@keepsnap/contract/live.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import { productName } from '@keepsnap/contract/product.ts'
import react from '@vitejs/plugin-react'
import { join } from 'node:path'
import { defineConfig, type ProxyOptions } from 'vite'
import { languageOfBuild, translateMessages } from './build-language.ts'
import { trimReactRouter } from './trim-react-router.ts'

/** Where `npm run dev` finds the server. */
const server = process.env['KEEPSNAP_SERVER'] ?? 'http://127.0.0.1:3000'

/** Proxies API calls to the server. Vite serves the pages, also where a page and a call share their first segment. */
const toServer: ProxyOptions = {
  target: server,
  bypass: ({ headers, url = '' }) => {
    const isPage = Object.values<string>(pages).includes(url.split('?')[0] ?? '')
    return isPage && headers.accept?.includes('text/html') ? url : undefined
  },
}
const firstSegments = new Set(endpoints.map(({ path }) => `^/${path.split('/')[1]}(?=[/?]|$)`))

/** Modules that every page with a form needs, in one chunk instead of nine. */
const formModules =
  /[\\/](ui[\\/](Field|PasswordField|Note)\.tsx|pages[\\/]AuthLayout\.tsx|lib[\\/]error-message\.ts|messages[\\/]en[\\/]session\.ts|contract[\\/](emails|passwords)\.ts|useMutation\.js|mutationObserver\.js)$/

/** Modules that pages with a password need in addition. */
const passwordModules =
  /[\\/](ui[\\/]PasswordRules\.tsx|features[\\/]session[\\/](queries|messages)\.ts|lib[\\/]device-time-zone\.ts)$/

/** The `Print` component, and the paths and codes of sample pictures, which most prints show. */
const printModules = /[\\/](ui[\\/]Print\.tsx|contract[\\/]samples\.ts|lib[\\/]sample-code-url\.ts)$/

const language = languageOfBuild(process.env['WEB_LANGUAGE'])
/** Files that are the same in all languages are only in the build of the default language. */
const hasSharedFiles = language === defaultLanguage

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  publicDir: hasSharedFiles ? 'public' : false,
  plugins: [translateMessages(language), react(), trimReactRouter()],
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
        // Without module names: the first page contains the list of all chunk names, so each character counts. Rolldown
        // rejects a shorter hash, which could collide.
        chunkFileNames: 'assets/[hash:7].js',
        // Pictures and fonts have the same names in the builds of guest pages and of prerendered pages.
        assetFileNames: ({ names: [name = ''] }) =>
          name.endsWith('.css') ? 'assets/[hash:7][extname]' : 'assets/[name]-[hash][extname]',
        codeSplitting: {
          groups: [
            // Everything that the first page needs, in one chunk: it compresses better than several.
            { name: 'app', tags: ['$initial'] },
            // Before `form`, whose layout contains a print.
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
