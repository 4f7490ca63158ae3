/**
 * The long counts of the tests, then the benches: npm run record [-- STAGE ...]. KEEPSNAP_CYCLES, KEEPSNAP_FUZZ and
 * KEEPSNAP_SEED in the environment count or repeat otherwise. Leaves a dated summary in bench/results/.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeMachine } from '../bench/machine.ts'
import { root } from './source-files.ts'

interface Stage {
  name: string
  what: string
  /** Vitest's project and the files to run; without, the benches. */
  tests?: [project: string, ...files: string[]]
}

interface Outcome extends Stage {
  passed: number
  failed: number
  seconds: number
  /** What the tests said of their counts and seeds. */
  said: string[]
}

const stages: Stage[] = [
  {
    name: 'reader',
    what: 'mutated JPEGs in the strict reader',
    tests: ['server', 'server/images/header-fuzz.test.ts'],
  },
  {
    name: 'bombs',
    what: 'bombs of every kind in the decoders',
    tests: ['server', 'server/images/render/decompression-bombs.test.ts'],
  },
  {
    name: 'hostile',
    what: 'hostile input and failures, over the public interface',
    tests: ['server', 'server/test/hostile'],
  },
  {
    name: 'accounts',
    what: 'accounts deleted during uploads and processing',
    tests: ['server', 'server/features/accounts/account-deletion.test.ts'],
  },
  {
    name: 'emails',
    what: 'many emails, and whether the time of an answer reveals anything about an address',
    tests: ['server', 'server/emails', 'server/features/requests'],
  },
  {
    name: 'starts',
    what: 'kill -9 of PostgreSQL and its launcher',
    tests: ['server', 'server/postgres/embedded-postgres.test.ts'],
  },
  { name: 'kills', what: 'kill -9 in the middle of uploads and processing', tests: ['e2e', 'e2e/kills.spec.ts'] },
  {
    name: 'accessibility',
    what: 'axe with all rules on all screens, in both themes and at both widths',
    tests: ['e2e', 'e2e/accessibility.spec.ts', 'e2e/phone.spec.ts'],
  },
  { name: 'benches', what: 'speed and memory beside their limits' },
]
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !stages.some((stage) => stage.name === name))
const say = (line: string): void => void process.stdout.write(`${line}\n`)
if (unknown.length) {
  say(`There is no stage ${unknown.join(', ')}; there are ${stages.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

const seed = process.env['KEEPSNAP_SEED'] ?? String(randomInt(1, 2 ** 31))
const env = { KEEPSNAP_CYCLES: '1000', ...process.env, KEEPSNAP_RECORD: '1', KEEPSNAP_SEED: seed }
const scratch = mkdtempSync(join(tmpdir(), 'keepsnap-record-'))

/** Runs a command, shows what it says, and answers with it and the exit code. */
function show(args: string[]): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    process.stdout.write(part)
    text += part
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })))
}

/** Counts of one run of Vitest; a run that ends without counting is a failure. */
function countsIn(report: string, code: number | null): { passed: number; failed: number } {
  try {
    const counts = JSON.parse(readFileSync(report, 'utf8')) as { numPassedTests: number; numFailedTests: number } // Vitest's own report
    const failed = counts.numFailedTests || (code === 0 ? 0 : 1)
    return { passed: counts.numPassedTests, failed }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

async function run(stage: Stage): Promise<Outcome> {
  say(`\n== ${stage.name}: ${stage.what}`)
  const began = performance.now()
  const report = join(scratch, `${stage.name}.json`)
  const outcome = (counts: { passed: number; failed: number }, said: string[]): Outcome => ({
    ...stage,
    ...counts,
    said,
    seconds: Math.round((performance.now() - began) / 1000),
  })
  if (!stage.tests) {
    const { code, text } = await show([join(root, 'bench/main.ts')])
    const where = text.split('\n').filter((line) => line.startsWith('bench/results/'))
    return outcome({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 }, where)
  }
  const [project, ...files] = stage.tests
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`]
  const { code, text } = await show([
    vitest,
    'run',
    '--project',
    project,
    ...files,
    ...reporters,
    '--testTimeout=3600000',
  ])
  const said = text.split('\n').filter((line) => /\bseed \d+|none lost/.test(line) && !line.includes('✓'))
  return outcome(
    countsIn(report, code),
    said.map((line) => line.trim()),
  )
}

const machine = describeMachine(scratch)
say(
  `seed ${seed}; ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, commit ${machine.commit}`,
)
const outcomes: Outcome[] = []
for (const stage of stages.filter(({ name }) => asked.length === 0 || asked.includes(name)))
  outcomes.push(await run(stage))
rmSync(scratch, { recursive: true, force: true })

const date = new Date().toISOString()
const folder = join(root, 'bench/results')
const file = `${date.slice(0, 16).replace(/[T:]/g, '-')}-record.md`
mkdirSync(folder, { recursive: true })
writeFileSync(
  join(folder, file),
  [
    `# Recorded ${date}`,
    '',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.kernel}, Node ${machine.node}. Commit ${machine.commit}. Seed ${seed}; load average before ${machine.loadBefore}.`,
    `Cycles of killing ${env.KEEPSNAP_CYCLES}; mutated files ${process.env['KEEPSNAP_FUZZ'] ?? 'as many as the test says'}.`,
    '',
    '| stage | what | passed | failed | seconds |',
    '| --- | --- | --- | --- | --- |',
    ...outcomes.map(
      ({ name, what, passed, failed, seconds }) => `| ${name} | ${what} | ${passed} | ${failed} | ${seconds} |`,
    ),
    ...outcomes.flatMap(({ name, said }) =>
      said.length ? ['', `${name}:`, '', ...said.map((line) => `- ${line}`)] : [],
    ),
    '',
  ].join('\n'),
)
say(`\nbench/results/${file}`)
process.exitCode = outcomes.some(({ failed }) => failed > 0) ? 1 : 0
