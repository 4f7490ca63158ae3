/** All tests: npm test. Prints how long they took and what was slow; the last line counts them. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createCpuMeter } from './cpu-time.ts'
import { endRun, endRunOnSignals } from './end-run.ts'
import { createScratchFolder } from './scratch-folder.ts'
import { root } from './source-files.ts'
import { readResults, type TestResults } from './test-reporter.ts'
import { installTools, testTools } from './tools.ts'

// Before the clock starts: what is installed once is no part of what a run takes.
installTools(testTools)
const cpu = createCpuMeter()
const scratch = createScratchFolder()
const isEnding = endRunOnSignals({ folder: scratch, close: () => cpu.close() })
const resultsFile = join(scratch, 'results.json')
/** One seed for the whole run, so that one number repeats all of it. */
const seed = process.env['KEEPSNAP_SEED'] ?? randomBytes(4).toString('hex')
const shownLines = 12
/** Of a failed browser test; four for each page. */
const shownPageLines = 24
const shownCharacters = 1000
const shownFiles = 10

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Runs a program of Node and resolves to its exit code, or to the signal that ended it; not when the run is ending. */
function run(args: string[]): Promise<number | string | null> {
  const env = { ...process.env, KEEPSNAP_SEED: seed, KEEPSNAP_TEST_RESULTS: resultsFile, TMPDIR: scratch }
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' })
  return new Promise((resolve) =>
    child.on('close', (code, signal) => {
      if (!isEnding()) resolve(code ?? signal)
    }),
  )
}

/** Runs a part, and says how long it took. */
async function timed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const [began, cpuBefore] = [performance.now(), cpu.seconds()]
  say(`\n== ${name}`)
  const result = await work()
  const seconds = (performance.now() - began) / 1000
  say(`== ${name}: ${seconds.toFixed(0)} s, ${(cpu.seconds() - cpuBefore).toFixed(0)} s of CPU`)
  return result
}

/** Units, features and browser journeys in one run, so that both cores are busy to the end. */
async function runVitest(): Promise<TestResults> {
  // Names of files after the command run only these: npm test -- FILE ...
  const code = await run([join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...process.argv.slice(2)])
  return readResults(resultsFile, code)
}

function printResults({ skipped, files, failures }: TestResults): void {
  say(`\nThe ${shownFiles} slowest files:`)
  for (const { path, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, shownFiles))
    say(`${seconds.toFixed(1).padStart(7)} s  ${path}`)
  for (const { name, reason } of skipped) say(`\nSKIPPED ${name}\n    ${reason}`)
  for (const { name, message, pages = '' } of failures) {
    const firstLines = (text: string, count: number): string[] => text.trim().split('\n').slice(0, count)
    const lines = [...firstLines(message, shownLines), ...firstLines(pages, shownPageLines)]
    say(['', `FAILED ${name}`, ...lines.map((line) => `    ${line.slice(0, shownCharacters)}`)].join('\n'))
  }
  if (failures.length) say(`\nSeed ${seed}; repeat the run with KEEPSNAP_SEED=${seed}.`)
}

const began = performance.now()
const checkCode = await timed('check', () => run([join(root, 'scripts/check.ts')]))
const results = await timed('tests', runVitest)
await endRun({ folder: scratch })
if (checkCode === 0) results.passed += 1
else {
  results.failed += 1
  results.failures.push({ name: 'npm run check', message: 'its output is above' })
}
printResults(results)
const wallSeconds = (performance.now() - began) / 1000
say(
  `\nWall time ${wallSeconds.toFixed(0)} s, CPU time ${cpu.seconds().toFixed(0)} s${cpu.caveat && ` (${cpu.caveat})`}`,
)
cpu.close()
process.exitCode = results.failed === 0 ? 0 : 1
say(`\n${results.passed} passed, ${results.failed} failed, ${results.skipped.length} skipped`)
