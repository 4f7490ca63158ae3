/**
 * Tests with their long counts: npm run record [-- STAGE ...]. KEEPSNAP_CYCLES and KEEPSNAP_FUZZ in the environment set other
 * counts, KEEPSNAP_SEED repeats a run. The result of each stage replaces its older one in bench/results/.
 */
import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type Stage, stages } from './record-stages.ts'
import { root } from './source-files.ts'
import { readResults, type TestResults } from './test-reporter.ts'
import { installPackages, installTools, startTestRun } from './test-run.ts'

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const requested = process.argv.slice(2)
const unknown = requested.filter((name) => !(name in stages))
if (unknown.length) {
  print(`There is no stage ${unknown.join(', ')}; there are ${Object.keys(stages).join(', ')}.`)
  process.exit(2)
}

const seed = process.env['KEEPSNAP_SEED'] ?? String(randomInt(1, 2 ** 31))
const cycles = process.env['KEEPSNAP_CYCLES'] ?? '1000'
/** On a disk: what kills leave is part of several stages. */
const testRun = startTestRun([tmpdir()])
const resultsFile = join(testRun.folder, 'results.json')

const git = (...args: string[]): string => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? ''
const changed = git('status', '--porcelain', '--untracked-files=no', '--', '.', ':(exclude)bench/results')
const commit = `${git('rev-parse', '--short=12', 'HEAD') || 'unknown'}${changed && ', with changes'}`
const machine = `${cpus()[0]?.model}, ${cpus().length} cores, ${Math.round(totalmem() / 1e9)} GB, ${type()} ${release()}, Node ${process.version}. Commit ${commit}.`

/** Runs the tests of a stage and shows their output as it comes. Never resolves when the run is ending. */
function runTests({ files, env }: Stage): Promise<{ results: TestResults; output: string }> {
  rmSync(resultsFile, { force: true })
  const projects = new Set(files.map((path) => `--project=${path.startsWith('e2e') ? 'e2e' : 'server'}`))
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', ...projects, ...files, '--testTimeout=3600000'], {
    cwd: root,
    env: {
      ...process.env,
      KEEPSNAP_CYCLES: cycles,
      KEEPSNAP_RECORD: '1',
      KEEPSNAP_SEED: seed,
      KEEPSNAP_TEST_RESULTS: resultsFile,
      TMPDIR: testRun.folder,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    process.stdout.write(chunk)
    output += chunk
  })
  return new Promise((resolve) =>
    child.on('close', (code, signal) => {
      if (!testRun.isEnding()) resolve({ results: readResults(resultsFile, code ?? signal), output })
    }),
  )
}

/** Lines in which tests say how often they did what, or what they measured. */
const measuredLines = (output: string): string[] =>
  stripVTControlCharacters(output)
    .split('\n')
    .filter(
      (line) =>
        /\(seed \S+\)|none lost|^(?:engine|lighthouse|screens|season|invoices): /.test(line) && !line.includes('✓'),
    )
    .map((line) => `- ${line.trim()}`)

async function runStage(name: string, stage: Stage): Promise<TestResults> {
  if (stage.tools) installTools(stage.tools)
  if (stage.packageFolder) installPackages(join(root, stage.packageFolder))
  const [startedAt, [load = 0]] = [new Date(), loadavg()]
  const { results, output } = await runTests(stage)
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000)
  const count = `${results.passed} passed, ${results.failed} failed, ${results.skipped.length} skipped`
  const skipped = results.skipped.map((test) => `- SKIPPED ${test.name}: ${test.reason}`)
  const title = `# ${stage.title[0]?.toUpperCase()}${stage.title.slice(1)}`
  const recorded = `Recorded ${startedAt.toISOString()} by \`npm run record -- ${name}\`: ${count}, ${seconds} s.`
  const counts = `${cycles} cycles of killing; mutated files: ${process.env['KEEPSNAP_FUZZ'] ?? 'as many as each test sets'}.`
  const head = [title, '', recorded, `${machine} Seed ${seed}; load average before ${load.toFixed(2)}.`, counts]
  const lines = [...measuredLines(output), ...skipped]
  const file = `bench/results/record-${name}.md`
  writeFileSync(join(root, file), [...head, ...(lines.length ? ['', ...lines] : []), ''].join('\n'))
  print(`\n${[...skipped, count, file].join('\n')}`)
  return results
}

print(`seed ${seed}; ${machine}`)
const failed: string[] = []
for (const [name, stage] of Object.entries(stages)) {
  if (requested.length > 0 && !requested.includes(name)) continue
  print(`\n== ${name}: ${stage.title}`)
  if (stage.variable && !process.env[stage.variable]) print(`left out: it needs ${stage.variable} in the environment`)
  else if ((await runStage(name, stage)).failed) failed.push(name)
}
await testRun.end()
print(failed.length ? `\nFailed: ${failed.join(', ')}` : '\nAll passed.')
process.exitCode = failed.length ? 1 : 0
