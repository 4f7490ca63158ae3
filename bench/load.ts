import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What is asked of a server, for some seconds, over some connections, path after path. */
export interface Load {
  address: string
  paths: string[]
  headers?: Record<string, string>
  seconds: number
  connections: number
}

export interface Answered {
  perSecond: number
  bytesPerSecond: number
}

const hasWrk = (): boolean => {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' })
    return true
  } catch (error) {
    // wrk answers its version with exit code 1.
    return error instanceof Error && 'status' in error && error.status !== null
  }
}
const tool = hasWrk() ? 'wrk' : 'autocannon'

/** wrk where it is installed, since it takes less of the machine for itself; otherwise the pinned autocannon. */
export const loadTool = (): string => tool

function output(command: string, args: string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(text) : reject(new Error(`${command} ended with ${code}`))))
  })
}

const script = (paths: string[]): string => `
local paths = { ${paths.map((path) => JSON.stringify(path)).join(', ')} }
local at = 0
function request()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end
function done(summary)
  local bad = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format("\\nRESULT %d %d %d %d\\n", summary.requests, summary.bytes, summary.duration, bad))
end
`

async function byWrk({ address, paths, headers = {}, seconds, connections }: Load): Promise<Answered> {
  const lua = join(tmpdir(), `keepsnap-bench-${randomUUID()}.lua`)
  writeFileSync(lua, script(paths))
  try {
    const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    const text = await output('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', lua, ...sent, address])
    const [, requests = 0, bytes = 0, microseconds = 1, bad = 1] =
      /RESULT (\d+) (\d+) (\d+) (\d+)/.exec(text)?.map(Number) ?? []
    if (bad > 0) throw new Error(`${bad} requests went wrong at ${address}${paths[0]}`)
    return { perSecond: requests / (microseconds / 1e6), bytesPerSecond: bytes / (microseconds / 1e6) }
  } finally {
    rmSync(lua, { force: true })
  }
}

async function byAutocannon({ address, paths, headers = {}, seconds, connections }: Load): Promise<Answered> {
  const script = join(import.meta.dirname, '../node_modules/autocannon/autocannon.js')
  const har = join(tmpdir(), `keepsnap-bench-${randomUUID()}.har`)
  const entries = paths.map((path) => ({ request: { method: 'GET', url: `${address}${path}`, headers: [] } }))
  writeFileSync(har, JSON.stringify({ log: { version: '1.2', creator: { name: 'bench', version: '1' }, entries } }))
  try {
    const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
    const args = [script, '-j', '-c', String(connections), '-d', String(seconds), '--har', har, ...sent, address]
    const result = JSON.parse(await output(process.execPath, args)) as {
      errors: number
      non2xx: number
      requests: { average: number }
      throughput: { average: number }
    } // autocannon's own report
    if (result.errors + result.non2xx > 0) throw new Error(`requests went wrong at ${address}${paths[0]}`)
    return { perSecond: result.requests.average, bytesPerSecond: result.throughput.average }
  } finally {
    rmSync(har, { force: true })
  }
}

/** Asks as much as the server answers. Rejects when any answer is not a good one. */
export const measureLoad = (load: Load): Promise<Answered> => (tool === 'wrk' ? byWrk(load) : byAutocannon(load))
