// For tests: process 1 of a container, which does not reap zombies. Starts number-store-program.ts, kills it and its
// database, and starts it again. Usage: init-without-reaping.ts DATA_DIR
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [dataDir = ''] = process.argv.slice(2)
const programPath = join(import.meta.dirname, 'number-store-program.ts')
const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** The lines of /proc/PID/stat of the programs and of PostgreSQL. */
const readProcessStats = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== '1')
    .map((name) => readFileSync(`/proc/${name}/stat`, 'utf8'))
    .filter((stat) => stat.includes('(postgres)') || stat.includes('(MainThread)') || stat.includes('(node)'))

// The shell exits at once, so that the program becomes a child of this process, which does not wait for its exit.
const shell = spawn('sh', ['-c', '"$0" "$1" "$2" 0 & exit 0', process.execPath, programPath, dataDir], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const readyLine: unknown[] = await once(createInterface(shell.stdout), 'line')
const programPid = Number(String(readyLine[0]).split(' ')[1])
const postmasterPid = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
process.kill(programPid, 'SIGKILL')
process.kill(postmasterPid, 'SIGKILL')
while (!readProcessStats().every((stat) => stat.slice(stat.lastIndexOf(')')).startsWith(') Z')))
  await new Promise((resolve) => setTimeout(resolve, 20))
print(`zombies ${readProcessStats().length}`)

const secondProgram = spawn(process.execPath, [programPath, dataDir, '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  timeout: 60_000,
})
createInterface(secondProgram.stdout).on('line', (line) => {
  print(line)
  if (line.startsWith('ready')) secondProgram.kill('SIGTERM')
})
await once(secondProgram, 'exit')
process.exit(0)
