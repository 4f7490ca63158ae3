/**
 * Tests with their long counts, then the benchmarks: npm run record [-- STAGE ...]. KEEPSNAP_CYCLES and KEEPSNAP_FUZZ in the
 * environment set other counts, KEEPSNAP_SEED repeats a run. The result of each stage replaces its older one in
 * bench/results/.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeMachine } from '../bench/machine.ts'
import { replaceResult } from '../bench/results.ts'
import { endRun, endRunOnSignals } from './end-run.ts'
import { countLinesIn, skippedLines, stageMarkdown, type StageResult } from './record-results.ts'
import { stages, type Stage } from './record-stages.ts'
import { createScratchFolder } from './scratch-folder.ts'
import { root } from './source-files.ts'
import { readResults } from './test-reporter.ts'
import { installPackages, installTools } from './tools.ts'

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
/** On a disk: what kills leave is part of several stages. */
const scratchDir = createScratchFolder([tmpdir()])
const resultsFile = join(scratchDir, 'results.json')
const env = {
  KEEPSNAP_CYCLES: '1000',
  ...process.env,
  KEEPSNAP_RECORD: '1',
  KEEPSNAP_SEED: seed,
  KEEPSNAP_TEST_RESULTS: resultsFile,
  TMPDIR: scratchDir,
}
const isEnding = endRunOnSignals({ folder: scratchDir })

/** Runs Node and shows its output as it comes. Never resolves when the run is ending. */
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
  return new Promise((resolve) =>
    child.on('close', (exitCode) => {
      if (!isEnding()) resolve({ exitCode, output })
    }),
  )
}

async function runStage({ vitestProject, testPaths, env: stageEnv }: Stage): Promise<StageResult> {
  const startedAt = performance.now()
  rmSync(resultsFile, { force: true })
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { exitCode, output } = await runNode(
    [vitest, 'run', '--project', vitestProject, ...testPaths, '--testTimeout=3600000'],
    stageEnv,
  )
  return {
    ...readResults(resultsFile, exitCode),
    seconds: Math.round((performance.now() - startedAt) / 1000),
    date: new Date().toISOString(),
    countLines: countLinesIn(output),
  }
}

const machine = describeMachine(scratchDir)
const run = { machine, seed, cycles: env.KEEPSNAP_CYCLES, fuzz: process.env['KEEPSNAP_FUZZ'] }
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
  const { passed, failed, skipped, date } = result
  const files = replaceResult({ name: `record-${stage.name}`, date }, { md: stageMarkdown(stage, result, run) })
  for (const line of skippedLines(result)) print(line)
  print(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped`)
  print(files.join('\n'))
}
if (isRequested(benchmarks)) {
  const { exitCode } = await runNode([join(root, 'bench/main.ts')])
  if (exitCode !== 0) failedStages.push(benchmarks)
}
await endRun({ folder: scratchDir })
print(failedStages.length ? `\nFailed: ${failedStages.join(', ')}` : '\nAll passed.')
process.exitCode = failedStages.length ? 1 : 0
