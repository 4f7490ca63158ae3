/** All tests, in the order in which a mistake shows soonest; the last line counts them: npm test. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './source-files.ts'
import { installTools } from './tools.ts'

/** What is used here of Vitest's own report. */
interface Report {
  numPassedTests: number
  numFailedTests: number
  numFailedTestSuites: number
  success: boolean
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[]
  }[]
}

const scratch = mkdtempSync(join(tmpdir(), 'keepsnap-test-'))
let passed = 0
let failed = 0
/** Said again at the end, where somebody who sees only the end of a long output looks. */
const failures: string[] = []

function note(what: string, message: string): void {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, 12)
  failures.push([what, ...lines.map((line) => `    ${line.slice(0, 300)}`)].join('\n'))
}

function noteFailures({ testResults }: Report): void {
  for (const { name, status, message, assertionResults } of testResults) {
    const file = relative(root, name)
    const bad = assertionResults.filter((test) => test.status === 'failed')
    for (const { fullName, failureMessages } of bad) note(`${file}: ${fullName}`, failureMessages?.join('\n') ?? '')
    if (status === 'failed' && bad.length === 0) note(file, message)
  }
}

function timed(name: string, work: () => void): void {
  const began = performance.now()
  process.stdout.write(`\n== ${name}\n`)
  work()
  process.stdout.write(`== ${name}: ${((performance.now() - began) / 1000).toFixed(0)} s\n`)
}

function check(): void {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/check.ts')], { cwd: root, stdio: 'inherit' })
  if (status === 0) passed += 1
  else {
    failed += 1
    note('npm run check', 'its own words are above')
  }
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
    const counts = JSON.parse(readFileSync(report, 'utf8')) as Report // Vitest's own report
    passed += counts.numPassedTests
    failed += counts.numFailedTests
    noteFailures(counts)
    if (counts.numFailedTests === 0 && (!counts.success || status !== 0)) {
      failed += Math.max(1, counts.numFailedTestSuites)
      note(`${name}: Vitest ended with ${status ?? 'a signal'}`, 'no test failed; its own words are above')
    }
  } catch {
    failed += 1
    note(`${name}: Vitest ended with ${status ?? 'a signal'}`, 'it left no report')
  }
}

timed('programs', installTools)
timed('check', check)
timed('server and web', () => vitest('units', ['server', 'web']))
timed('journeys', () => vitest('journeys', ['e2e']))
rmSync(scratch, { recursive: true, force: true })
process.exitCode = failed === 0 ? 0 : 1
for (const failure of failures) process.stdout.write(`\nFAILED ${failure}\n`)
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
