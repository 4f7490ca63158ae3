/**
 * Tests with their long counts, then the benchmarks: npm run record [-- STAGE ...]. KEEPSNAP_CYCLES and KEEPSNAP_FUZZ in the
 * environment set other counts, KEEPSNAP_SEED repeats a run. The result of each stage replaces its older one in
 * bench/results/.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describeMachine } from '../bench/machine.ts'
import { replaceResult } from '../bench/results.ts'
import { stages, type Stage } from './record-stages.ts'
import { root } from './source-files.ts'
import { installPackages, installTools } from './tools.ts'

interface StageResult {
  passed: number
  failed: number
  seconds: number
  /** Lines in which the tests print their counts and seeds. */
  countLines: string[]
}

const benchmarks = 'bench'
const stageNames = [...stages.map(({ name }) => name), benchmarks]
const requestedNames = process.argv.slice(2)
const unknownNames = requestedNames.filter((name) => !stageNames.includes(name))
const print = (line: string): void => void process.stdout.write(`${line}\n`)
if (unknownNames.length) {
  print(`There is no stage ${unknownNames.join(', ')}; there are ${stageNames.join(', ')}.`)
  process.exit(2)
}

const seed = process.env['KEEPSNAP_SEED'] ?? String(randomInt(1, 2 ** 31))
const env = { KEEPSNAP_CYCLES: '1000', ...process.env, KEEPSNAP_RECORD: '1', KEEPSNAP_SEED: seed }
const scratchDir = mkdtempSync(join(tmpdir(), 'keepsnap-record-'))

/** Runs Node and shows its output as it comes. */
function runNode(
  args: string[],
  stageEnv: Record<string, string> = {},
): Promise<{ exitCode: number | null; output: string }> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...env, ...stageEnv },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    process.stdout.write(chunk)
    output += chunk
  })
  return new Promise((resolve) => child.on('close', (exitCode) => resolve({ exitCode, output })))
}

/** The counts in a JSON report of Vitest; a run that ends without a report is one failure. */
function countsIn(reportFile: string, exitCode: number | null): Pick<StageResult, 'passed' | 'failed'> {
  try {
    // The format is Vitest's.
    const counts = JSON.parse(readFileSync(reportFile, 'utf8')) as { numPassedTests: number; numFailedTests: number }
    return { passed: counts.numPassedTests, failed: counts.numFailedTests || (exitCode === 0 ? 0 : 1) }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

async function runStage({ name, vitestProject, testPaths, env: stageEnv }: Stage): Promise<StageResult> {
  const startedAt = performance.now()
  const reportFile = join(scratchDir, `${name}.json`)
  const { exitCode, output } = await runNode(
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--project',
      vitestProject,
      ...testPaths,
      '--reporter=default',
      '--reporter=json',
      `--outputFile=${reportFile}`,
      '--testTimeout=3600000',
    ],
    stageEnv,
  )
  const countLines = stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => /\bseed \d+|none lost|^(?:engine|lighthouse|screens): /.test(line) && !line.includes('✓'))
  return {
    ...countsIn(reportFile, exitCode),
    seconds: Math.round((performance.now() - startedAt) / 1000),
    countLines: countLines.map((line) => line.trim()),
  }
}

function stageMarkdown(
  { name, title }: Stage,
  { passed, failed, seconds, countLines }: StageResult,
  date: string,
): string {
  return [
    `# ${title[0]?.toUpperCase()}${title.slice(1)}`,
    '',
    `Recorded ${date} by \`npm run record -- ${name}\`: ${passed} tests passed, ${failed} failed, ${seconds} s.`,
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.kernel}, Node ${machine.node}. Commit ${machine.commit}. Seed ${seed}; load average before ${machine.loadBefore}.`,
    `${env.KEEPSNAP_CYCLES} cycles of killing; mutated files: ${process.env['KEEPSNAP_FUZZ'] ?? 'as many as each test sets'}.`,
    ...(countLines.length ? ['', ...countLines.map((line) => `- ${line}`)] : []),
    '',
  ].join('\n')
}

const machine = describeMachine(scratchDir)
print(
  `seed ${seed}; ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, commit ${machine.commit}`,
)
const isRequested = (name: string): boolean => requestedNames.length === 0 || requestedNames.includes(name)
const failedStages: string[] = []
for (const stage of stages.filter(({ name }) => isRequested(name))) {
  print(`\n== ${stage.name}: ${stage.title}`)
  if (stage.variable && !process.env[stage.variable]) {
    print(`left out: it needs ${stage.variable} in the environment`)
    continue
  }
  if (stage.tools) installTools(stage.tools)
  if (stage.packageFolder) installPackages(join(root, stage.packageFolder))
  const result = await runStage(stage)
  if (result.failed) failedStages.push(stage.name)
  const date = new Date().toISOString()
  const files = replaceResult({ name: `record-${stage.name}`, date }, { md: stageMarkdown(stage, result, date) })
  print(`\n${files.join('\n')}`)
}
if (isRequested(benchmarks)) {
  const { exitCode } = await runNode([join(root, 'bench/main.ts')])
  if (exitCode !== 0) failedStages.push(benchmarks)
}
rmSync(scratchDir, { recursive: true, force: true })
print(failedStages.length ? `\nFailed: ${failedStages.join(', ')}` : '\nAll passed.')
process.exitCode = failedStages.length ? 1 : 0
