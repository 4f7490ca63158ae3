import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { defaultLanguage } from '@keepsnap/contract/languages.ts'
import { wsPath } from '@keepsnap/contract/live.ts'
import { pages, productName } from '@keepsnap/contract/site.ts'
import react from '@vitejs/plugin-react'
import { defineConfig, type ProxyOptions } from 'vite'
import {
  appBrowsers,
  appStyleBrowsers,
  languageOfBuild,
  packCommonPasswords,
  styleOptions,
  translateMessages,
} from './build.ts'

/** Where `npm run dev` finds the server. */
const server = process.env['KEEPSNAP_SERVER'] ?? 'http://127.0.0.1:3000'

/** Proxies API calls to the server. Vite serves the pages, also where a page and a call share their first segment. */
const toServer: ProxyOptions = {
  target: server,
  bypass: ({ headers, url = '' }) => {
    const isPage = Object.values<string>(pages).includes(
      url.split('?')[0]?.replace(/^\/events\/[^/]+(\/review)?$/, pages.events) ?? '',
    )
    return isPage && headers.accept?.includes('text/html') ? url : undefined
  },
}
const firstSegments = new Set(endpoints.map(({ path }) => `^/${path.split('/')[1]}(?=[/?]|$)`))

const language = languageOfBuild(process.env['WEB_LANGUAGE'])
/** Files that are the same in all languages are only in the build of the default language. */
const hasSharedFiles = language === defaultLanguage

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  publicDir: hasSharedFiles ? 'public' : false,
  plugins: [translateMessages(language), packCommonPasswords(), react()],
  // index.html contains it as %VITE_PRODUCT_NAME%.
  define: {
    'import.meta.env.VITE_PRODUCT_NAME': JSON.stringify(productName),
    'import.meta.env.VITE_LANGUAGE': JSON.stringify(language),
  },
  css: styleOptions,
  build: {
    outDir: 'dist',
    target: appBrowsers,
    cssTarget: appStyleBrowsers,
    emptyOutDir: true,
    sourcemap: false,
    // scripts/check-sizes.ts reads it.
    manifest: true,
    // Pictures stay files: browsers cache each of them, and the security policy needs no data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Pictures and fonts have the same names in the builds of guest pages and of prerendered pages.
        assetFileNames: 'assets/[name]-[hash][extname]',
        // What every page needs is one file. The others keep the files of a page few: a group takes its modules with all that they
        // import and no group above has taken; so what public pages need stands above what only accounts need.
        codeSplitting: {
          groups: [
            { name: 'app', tags: ['$initial'] },
            {
              name: 'shared',
              minShareCount: 4,
              test: /lucide-react|@tanstack|contract\/plans\.ts|lib\/(focus|refetch-query)|site\/site-info/,
            },
            { name: 'pricing', test: /plans\/plan-status\.ts|messages\/\w+\/pricing\.ts/ },
            { name: 'settings', test: /messages\/\w+\/settings\.ts|ui\/(Switch|useSaved)/ },
            { name: 'integrations', test: /messages\/\w+\/integrations\.ts|integrations\/api-keys\.ts/ },
            { name: 'plan', test: /messages\/\w+\/plans\.ts|plans\/subscription\.ts/ },
            {
              name: 'photos',
              test: /features\/photos\/photo-state\.ts|event-limits\.ts|lib\/(images|server-sentences)|ui\/Dialog|qr-code|download|calendar-days/,
            },
            { name: 'big-screen', test: /screen\/(BigScreen|screen-controls|latest-view-model|wake-lock)\.tsx?/ },
            {
              name: 'photo-list',
              test: /photos\/(photo-list|photo-cache|photo-changes)\.ts|events\/events\.ts|screen\/(latest-photo|hold)\.ts|messages\/\w+\/photos\.ts/,
            },
            {
              name: 'signed-in',
              test: /lib\/post-file\.ts|session-services\.ts|screen\/LatestPage\.tsx|(AccountMenu|PlanNotices)\.tsx/,
            },
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
