/** All tests, in the order in which a mistake shows soonest; the last line counts them: npm test. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './source-files.ts'
import { installTools } from './tools.ts'

interface Counts {
  numPassedTests: number
  numFailedTests: number
  numFailedTestSuites: number
  success: boolean
}

const scratch = mkdtempSync(join(tmpdir(), 'keepsnap-test-'))
let passed = 0
let failed = 0

function timed(name: string, work: () => void): void {
  const began = performance.now()
  process.stdout.write(`\n== ${name}\n`)
  work()
  process.stdout.write(`== ${name}: ${((performance.now() - began) / 1000).toFixed(0)} s\n`)
}

function check(): void {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/check.ts')], { cwd: root, stdio: 'inherit' })
  if (status === 0) passed += 1
  else failed += 1
}

/** One run of Vitest; a run that ends without counting is a failure. */
function vitest(name: string, projects: string[]): void {
  const report = join(scratch, `${name}.json`)
  const args = [
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${report}`,
  ]
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  try {
    const counts = JSON.parse(readFileSync(report, 'utf8')) as Counts // Vitest's own report
    passed += counts.numPassedTests
    failed += counts.numFailedTests
    if (counts.numFailedTests === 0 && (!counts.success || status !== 0))
      failed += Math.max(1, counts.numFailedTestSuites)
  } catch {
    failed += 1
  }
}

timed('programs', installTools)
timed('check', check)
timed('server and web', () => vitest('units', ['server', 'web']))
timed('journeys', () => vitest('journeys', ['e2e']))
rmSync(scratch, { recursive: true, force: true })
process.exitCode = failed === 0 ? 0 : 1
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
