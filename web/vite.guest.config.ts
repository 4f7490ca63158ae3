import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { guestScript, onlyWhatIsUsed } from './guest-plugins.ts'

/** Guest pages and letters, drawn by the server: one module with everything in it. `vite build -c vite.guest.config.ts` */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  publicDir: false,
  plugins: [react(), guestScript()],
  css: { postcss: onlyWhatIsUsed() },
  // The reader's own React, not the one that checks its users.
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true },
  build: {
    ssr: 'guest/main.ts',
    outDir: 'dist-guest',
    emptyOutDir: true,
    target: 'node22',
    minify: true,
    cssMinify: true,
    // Files are those of the app's own build, under the same names.
    assetsInlineLimit: 0,
    ssrEmitAssets: false,
    rolldownOptions: { output: { entryFileNames: 'guest.js', codeSplitting: false } },
  },
})
