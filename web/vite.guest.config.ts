import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { buildGuestScript, guestBrowsers, styleOptions } from './build.ts'

/** Guest pages and emails, rendered by the server, as one module: `vite build -c vite.guest.config.ts`. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  publicDir: false,
  plugins: [react()],
  define: {
    // React's production build.
    'process.env.NODE_ENV': '"production"',
    GUEST_SCRIPT: JSON.stringify(await buildGuestScript('main')),
    GALLERY_SCRIPT: JSON.stringify(await buildGuestScript('gallery')),
    ADD_SCRIPT: JSON.stringify(await buildGuestScript('add-photos')),
    SCANNED_SCRIPT: JSON.stringify(await buildGuestScript('scanned-photos')),
  },
  css: styleOptions,
  ssr: { noExternal: true },
  build: {
    ssr: 'guest/main.ts',
    outDir: 'dist-guest',
    emptyOutDir: true,
    target: 'node22',
    cssTarget: guestBrowsers,
    minify: true,
    cssMinify: true,
    // The files of the app's own build, under the same names.
    assetsInlineLimit: 0,
    ssrEmitAssets: false,
    rolldownOptions: { output: { entryFileNames: 'guest.js', codeSplitting: false } },
  },
})
