/** Static checks, and the size of the web build: npm run check. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { forEachConcurrently } from '../server/lib/concurrency.ts'
import { root } from './source-files.ts'

const bin = (name: string): string => join(root, 'node_modules/.bin', name)
const script = (name: string, ...args: string[]): string[] => [process.execPath, join(root, 'scripts', name), ...args]

const checks: [name: string, command: string[]][] = [
  // That of the root folder has scripts, e2e and bench: apart, each would read the whole server once more.
  ...['contract', 'client', 'client/command', 'server', 'web', '.'].map((part): [string, string[]] => [
    `types of ${part}`,
    [bin('tsc'), '-p', part, '--singleThreaded'],
  ]),
  ['types of browsers', [bin('tsc'), '-p', 'web/tsconfig.browser.json', '--singleThreaded']],
  ['lint', [bin('oxlint'), '--type-aware']],
  ['format', [bin('oxfmt'), '--check', '.']],
  ['imports', script('check-imports.ts')],
  ['regular expressions', script('check-patterns.ts')],
  ['accessibility statement', script('check-accessibility.ts')],
  ['generated types', script('generate-types.ts', '--check')],
  ['generated client', script('generate-client.ts', '--check')],
  ['generated reference', script('generate-reference.ts', '--check')],
  ['sizes of the web build', script('check-sizes.ts')],
]
const concurrency = 2
/**
 * The compiler and the linter are Go programs. With one thread and less garbage collection each check takes less than half
 * the CPU time (types of server: 4.5 s instead of 13.7 s), and two checks run at a time anyway.
 */
const env = { ...process.env, GOGC: '1600', GOMAXPROCS: '1' }

async function run([name, [command = '', ...args]]: [string, string[]]): Promise<boolean> {
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  child.stdout.on('data', (chunk) => (text += String(chunk)))
  child.stderr.on('data', (chunk) => (text += String(chunk)))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  const [warnings] = /\b\d+ warnings?/.exec(text) ?? []
  process.stdout.write(code === 0 ? `ok    ${name}${warnings ? ` (${warnings})` : ''}\n` : `FAIL  ${name}\n${text}\n`)
  return code === 0
}

const failed: string[] = []
await forEachConcurrently(checks, concurrency, async (check) => {
  if (!(await run(check))) failed.push(check[0])
})
process.stdout.write(
  failed.length
    ? `check: ${failed.length} of ${checks.length} failed (${failed.join(', ')})\n`
    : `check: all ${checks.length} passed\n`,
)
process.exitCode = failed.length ? 1 : 0
