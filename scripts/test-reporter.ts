import { readFileSync, writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

/** What one run of Vitest came to; `readResults` reads it from the file that KEEPSNAP_TEST_RESULTS names. */
export interface TestResults {
  passed: number
  failed: number
  skipped: { name: string; reason: string }[]
  /** `pages`: what browser pages showed, and the shared program logged. */
  failures: { name: string; message: string; pages?: string }[]
  files: { path: string; seconds: number }[]
}

const textOf = (errors: readonly SerializedError[]): string =>
  stripVTControlCharacters(errors.map(({ message, stack }) => `${message}\n${stack ?? ''}`).join('\n'))

/** For a test that gives none. */
const reasons = { run: 'not reached', only: 'not reached', skip: 'no reason given', todo: 'not written yet' }

function addModule(results: TestResults, module: TestModule): void {
  const path = module.relativeModuleId
  const { setupDuration, collectDuration, duration } = module.diagnostic()
  results.files.push({ path, seconds: (setupDuration + collectDuration + duration) / 1000 })
  for (const test of module.children.allTests()) {
    const result = test.result()
    const name = `${path}: ${test.fullName}`
    if (result.state === 'passed') results.passed += 1
    else if (result.state === 'failed') {
      results.failed += 1
      const { pages } = test.meta() as { pages?: string } // written by e2e/setup.ts
      results.failures.push({ name, message: textOf(result.errors), ...(pages && { pages }) })
    } else
      results.skipped.push({ name, reason: (result.state === 'skipped' && result.note) || reasons[test.options.mode] })
  }
  // Errors outside of tests: a file that cannot be loaded, a hook that failed.
  const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())]
  if (errors.length === 0) return
  results.failed += 1
  results.failures.push({ name: path, message: textOf(errors) })
}

/** Writes the results of a run to a file, skipped tests with their reasons included, which the JSON reporter omits. */
export class ResultsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const file = process.env['KEEPSNAP_TEST_RESULTS']
    if (!file) return
    const results: TestResults = { passed: 0, failed: 0, skipped: [], failures: [], files: [] }
    for (const module of modules) addModule(results, module)
    if (unhandledErrors.length > 0) {
      results.failed += unhandledErrors.length
      results.failures.push({ name: 'outside of all tests', message: textOf(unhandledErrors) })
    }
    writeFileSync(file, JSON.stringify(results))
  }
}

/** The results in a file of the reporter. `ended`: the exit code of Vitest, or the signal that ended it. */
export function readResults(file: string, ended: number | string | null): TestResults {
  const failed = (message: string): TestResults['failures'] => [{ name: `Vitest ended with ${ended}`, message }]
  try {
    const results = JSON.parse(readFileSync(file, 'utf8')) as TestResults // written by the reporter
    if (ended === 0 || results.failed > 0) return results
    return { ...results, failed: 1, failures: failed('no test failed; its output above says why') }
  } catch {
    return { passed: 0, failed: 1, skipped: [], failures: failed('it wrote no results'), files: [] }
  }
}
