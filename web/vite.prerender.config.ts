import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { packCommonPasswords } from './build.ts'

/** The pages of the web app, rendered by the server for visitors: `vite build -c vite.prerender.config.ts`. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  publicDir: false,
  plugins: [packCommonPasswords(), react()],
  define: {
    // React's production build.
    'process.env.NODE_ENV': '"production"',
    'import.meta.env.VITE_API_ORIGIN': 'undefined',
  },
  ssr: { noExternal: true },
  build: {
    ssr: 'prerender/main.ts',
    outDir: 'dist-pages',
    emptyOutDir: true,
    target: 'node22',
    minify: true,
    // The files of the app's own build, under the same names.
    assetsInlineLimit: 0,
    ssrEmitAssets: false,
    rolldownOptions: { output: { entryFileNames: 'pages.js', chunkFileNames: 'chunks/[name]-[hash].js' } },
  },
})
