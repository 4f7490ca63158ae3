// For tests: as process 1 of a container that reaps nobody, starts the program that stores numbers, kills it together
// with its database, and starts it again. Usage: init-without-reaping.ts DATA_DIR
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [dataDir = ''] = process.argv.slice(2)
const program = join(import.meta.dirname, 'number-store-program.ts')
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const states = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== '1')
    .map((name) => readFileSync(`/proc/${name}/stat`, 'utf8'))
    .filter((stat) => stat.includes('(postgres)') || stat.includes('(MainThread)') || stat.includes('(node)'))

// The shell between ends at once, so that the program becomes a child of this process without its knowledge.
const shell = spawn('sh', ['-c', '"$0" "$1" "$2" 0 & exit 0', process.execPath, program, dataDir], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ready: unknown[] = await once(createInterface(shell.stdout), 'line')
const pid = Number(String(ready[0]).split(' ')[1])
const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
process.kill(pid, 'SIGKILL')
process.kill(postmaster, 'SIGKILL')
while (!states().every((stat) => stat.slice(stat.lastIndexOf(')')).startsWith(') Z')))
  await new Promise((resolve) => setTimeout(resolve, 20))
say(`zombies ${states().length}`)

const again = spawn(process.execPath, [program, dataDir, '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  timeout: 20_000,
})
createInterface(again.stdout).on('line', (line) => {
  say(line)
  if (line.startsWith('ready')) again.kill('SIGTERM')
})
await once(again, 'exit')
process.exit(0)
