import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  test: {
    name: 'web',
    environment: 'happy-dom',
    include: ['**/*.test.{ts,tsx}'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 30_000,
    environmentOptions: {
      happyDOM: {
        url: 'http://keepsnap.test/',
        // The fake server allows every origin itself; preflights would only slow the tests.
        settings: { fetch: { disableSameOriginPolicy: true } },
      },
    },
  },
})
