/**
 * Runs `npm test` 20 times in a row: npm run repeat-tests [-- RUNS]. Five of the 20 runs share the processor with an endless loop
 * on each core. It stops at the first run that fails. The result in bench/results/ is written after each run, and a series that was
 * interrupted continues as long as the tested files are the same: all but documents and results.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { describeMachine } from '../bench/machine.ts'
import { replaceResult } from '../bench/results.ts'
import {
  readRunSummary,
  runsBesideLoops,
  seriesMarkdown,
  testedFilesHash,
  uncommittedFiles,
  type Series,
} from './test-series.ts'
import { root } from './source-files.ts'

const name = 'record-repeated-tests'
const runs = Number(process.argv[2] ?? 20)
if (!Number.isInteger(runs) || runs < 1 || runs > 100) {
  process.stderr.write('npm run repeat-tests -- RUNS: RUNS is a number from 1 to 100.\n')
  process.exit(2)
}
const uncommitted = uncommittedFiles()
if (uncommitted.length) {
  process.stderr.write(
    `Commit or remove these first, so that all runs test the same files:\n${uncommitted.join('\n')}\n`,
  )
  process.exit(2)
}
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const logFolder = mkdtempSync(join(tmpdir(), 'keepsnap-repeated-tests-'))
const children = new Set<ChildProcess>()

function start(command: string, args: string[], stdio: 'ignore' | ['ignore', 'pipe', 'pipe']): ChildProcess {
  const child = spawn(command, args, { cwd: root, stdio })
  children.add(child)
  child.on('close', () => children.delete(child))
  return child
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    for (const child of children) child.kill('SIGTERM')
    process.exit(1)
  })

/** Runs all tests with their output in a file. */
async function runTests(logFile: string): Promise<{ exitCode: number | null; seconds: number }> {
  const startedAt = performance.now()
  const child = start('npm', ['test'], ['ignore', 'pipe', 'pipe'])
  const log = createWriteStream(logFile)
  child.stdout?.pipe(log, { end: false })
  child.stderr?.pipe(log, { end: false })
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve))
  await finished(log.end())
  return { exitCode, seconds: Math.round((performance.now() - startedAt) / 1000) }
}

/** The series so far of the same files; otherwise a new one. */
function openSeries(filesHash: string): Series {
  const folder = join(root, 'bench/results')
  const file = existsSync(folder) ? readdirSync(folder).find((one) => one.endsWith(`${name}.json`)) : undefined
  const series = file && (JSON.parse(readFileSync(join(folder, file), 'utf8')) as Series) // written below
  const continues = series && series.filesHash === filesHash && series.runs.every(({ passed }) => passed)
  return continues ? series : { filesHash, runs: [] }
}

const series = openSeries(testedFilesHash())
say(`Tested files ${series.filesHash}; ${series.runs.length} of ${runs} runs are done; logs in ${logFolder}`)
while (series.runs.length < runs && series.runs.every(({ passed }) => passed)) {
  const number = series.runs.length + 1
  const isBesideLoops = runsBesideLoops.includes(number)
  const machine = describeMachine(logFolder)
  const loops = isBesideLoops ? cpus().map(() => start(process.execPath, ['-e', 'for (;;);'], 'ignore')) : []
  const logFile = join(logFolder, `run-${number}.log`)
  const { exitCode, seconds } = await runTests(logFile)
  for (const loop of loops) loop.kill('SIGKILL')
  const date = new Date().toISOString()
  const summary = readRunSummary(readFileSync(logFile, 'utf8'))
  // A change during a run would prove something about neither state.
  const isUnchanged = testedFilesHash() === series.filesHash && uncommittedFiles().length === 0
  series.runs.push({ date, isBesideLoops, seconds, machine, summary, passed: exitCode === 0 && isUnchanged })
  if (!isUnchanged) say('The tested files have changed: this run does not count.')
  replaceResult({ name, date }, { json: `${JSON.stringify(series, null, 2)}\n`, md: seriesMarkdown(series) })
  say(`${number}${isBesideLoops ? ', beside endless loops' : ''}: exit code ${exitCode}, ${seconds} s. ${summary}`)
}
process.exitCode = series.runs.every(({ passed }) => passed) ? 0 : 1
