import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  test: {
    name: 'web',
    // The same number as in the other projects: Vitest then runs all files in one pool.
    maxWorkers: 2,
    environment: 'happy-dom',
    include: ['**/*.test.{ts,tsx}'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    // A worker loads React and the app once for all of its files; test/setup.ts cleans up after each test.
    isolate: false,
    restoreMocks: true,
    unstubGlobals: true,
    environmentOptions: {
      happyDOM: {
        url: 'http://keepsnap.test/',
        // The fake server allows every origin itself; preflight requests would only slow the tests down.
        // Scripts of other hosts are never loaded.
        settings: { fetch: { disableSameOriginPolicy: true }, handleDisabledFileLoadingAsSuccess: true },
      },
    },
  },
})
