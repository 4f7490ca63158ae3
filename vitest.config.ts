import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { waitLimitMs } from './e2e/program.ts'
import { ResultsReporter } from './scripts/test-reporter.ts'

/** Only tests that hang wait for it. */
const hangMs = 300_000
/**
 * Node loads the modules of the server and of the journeys itself, as when they run: without Vite, which transformed each of
 * them first, the same tests need a seventh less CPU time. `vi.mock` and JSX do not work there.
 */
const experimental = { viteModuleRunner: false, nodeLoader: false }
const isRecord = process.env['KEEPSNAP_RECORD'] === '1'

export default defineConfig({
  test: {
    // One worker per core of a small machine: a third would load all modules once more, which takes more CPU time than it saves.
    maxWorkers: 2,
    reporters: ['default', new ResultsReporter()],
    // One PostgreSQL for all projects, then one program for the journeys; each only when a project needs it.
    globalSetup: ['server/test/cluster.ts', 'e2e/shared-server.ts'],
    projects: [
      {
        test: {
          name: 'server',
          include: [
            'server/**/*.test.ts',
            'contract/**/*.test.ts',
            'client/**/*.test.ts',
            'scripts/**/*.test.ts',
            ...(isRecord ? ['server/**/*.record.ts'] : []),
          ],
          testTimeout: hangMs,
          hookTimeout: hangMs,
          // A busy machine is slow, not wrong.
          expect: { poll: { timeout: waitLimitMs } },
          pool: 'forks',
          experimental,
          // The files share nothing, so that each worker loads the modules of the server once.
          isolate: false,
          // Programs that tests start load compiled modules, as with npm start.
          env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/keepsnap') },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.spec.ts', ...(isRecord ? ['e2e/**/*.record.ts'] : [])],
          setupFiles: ['e2e/setup.ts'],
          testTimeout: hangMs,
          hookTimeout: hangMs,
          expect: { poll: { timeout: waitLimitMs, interval: 100 } },
          pool: 'forks',
          experimental,
          // A worker process opens one browser for all of its files.
          isolate: false,
        },
      },
      'web/vitest.config.ts',
    ],
  },
})
