/** All tests: npm test [-- FILE ...]. Prints how long they took and what was slow; the last line counts them. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCpuMeter, installTools, startTestRun, testTools } from './test-run.ts'
import { root } from './source-files.ts'
import { readResults } from './test-reporter.ts'

// Before the clock starts: what is installed once is no part of what a run takes.
installTools(testTools)
const cpu = createCpuMeter()
// In memory where there is room: thousands of files of databases are written, which takes a tenth of the CPU time on a disk.
const testRun = startTestRun(['/dev/shm', tmpdir()], () => cpu.close())
const resultsFile = join(testRun.folder, 'results.json')
/** One seed for the whole run, so that one number repeats all of it. */
const seed = process.env['KEEPSNAP_SEED'] ?? randomBytes(4).toString('hex')
const shown = { files: 10, lines: 12, pageLines: 24, characters: 1000 }

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/**
 * Runs a program of Node, says how long it took, and resolves to its exit code or to the signal that ended it; not when the
 * run is ending.
 */
async function run(name: string, args: string[]): Promise<number | string | null> {
  const [began, cpuBefore] = [performance.now(), cpu.seconds()]
  say(`\n== ${name}`)
  const env = { ...process.env, KEEPSNAP_SEED: seed, KEEPSNAP_TEST_RESULTS: resultsFile, TMPDIR: testRun.folder }
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' })
  const ended = await new Promise<number | string | null>((resolve) =>
    child.on('close', (code, signal) => {
      if (!testRun.isEnding()) resolve(code ?? signal)
    }),
  )
  const seconds = (performance.now() - began) / 1000
  say(`== ${name}: ${seconds.toFixed(0)} s, ${(cpu.seconds() - cpuBefore).toFixed(0)} s of CPU`)
  return ended
}

const began = performance.now()
const checked = await run('check', [join(root, 'scripts/check.ts')])
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
// Units, features and browser journeys in one run, so that both cores are busy to the end.
const results = readResults(resultsFile, await run('tests', [vitest, 'run', ...process.argv.slice(2)]))
const { skipped, failures } = results
if (checked === 0) results.passed += 1
else {
  results.failed += 1
  failures.push({ name: 'npm run check', message: 'its output is above' })
}
const seconds = (performance.now() - began) / 1000
const cpuSeconds = cpu.seconds()
await testRun.end()

say(`\nThe ${shown.files} slowest files:`)
for (const { path, seconds: taken } of results.files.toSorted((a, b) => b.seconds - a.seconds).slice(0, shown.files))
  say(`${taken.toFixed(1).padStart(7)} s  ${path}`)
for (const { name, reason } of skipped) say(`\nSKIPPED ${name}\n    ${reason}`)
for (const { name, message, pages = '' } of failures) {
  const lines = [
    ...message.trim().split('\n').slice(0, shown.lines),
    ...pages.trim().split('\n').slice(0, shown.pageLines),
  ]
  say(`\nFAILED ${name}\n${lines.map((line) => `    ${line.slice(0, shown.characters)}`).join('\n')}`)
}
if (failures.length) say(`\nSeed ${seed}; repeat the run with KEEPSNAP_SEED=${seed}.`)
const caveat = cpu.caveat && ` (${cpu.caveat})`
say(`\nWall time ${seconds.toFixed(0)} s, CPU time ${cpuSeconds.toFixed(0)} s${caveat}`)
process.exitCode = results.failed === 0 ? 0 : 1
say(`\n${results.passed} passed, ${results.failed} failed, ${skipped.length} skipped`)
