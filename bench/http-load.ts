import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What is asked of a server, for some seconds, over some connections, path after path. */
export interface Load {
  address: string
  paths: string[]
  /** Tokens of those who ask, in turn; nobody's by default. */
  as?: string[]
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

const headersOf = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

/** One request after another until every path was asked for by everybody. */
const requestsOf = ({ paths, as = [] }: Pick<Load, 'paths' | 'as'>) =>
  (as.length ? as : [undefined]).flatMap((token) => paths.map((path) => ({ path, headers: headersOf(token) })))

const script = (load: Load): string => `
local requests
-- Only now the name of the host is known.
function init()
  requests = {
${requestsOf(load)
  .map(({ path, headers }) => {
    const named = Object.entries(headers).map(([name, value]) => `[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
    return `    wrk.format("GET", ${JSON.stringify(path)}, { ${named.join(', ')} }),`
  })
  .join('\n')}
  }
end
local at = 0
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary)
  local bad = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format("\\nRESULT %d %d %d %d\\n", summary.requests, summary.bytes, summary.duration, bad))
end
`

async function byWrk(load: Load): Promise<Answered> {
  const { address, paths, seconds, connections } = load
  const lua = join(tmpdir(), `keepsnap-bench-${randomUUID()}.lua`)
  writeFileSync(lua, script(load))
  try {
    const text = await output('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', lua, address])
    const [, requests = 0, bytes = 0, microseconds = 1, bad = 1] =
      /RESULT (\d+) (\d+) (\d+) (\d+)/.exec(text)?.map(Number) ?? []
    if (bad > 0) throw new Error(`${bad} requests went wrong at ${address}${paths[0]}`)
    return { perSecond: requests / (microseconds / 1e6), bytesPerSecond: bytes / (microseconds / 1e6) }
  } finally {
    rmSync(lua, { force: true })
  }
}

async function byAutocannon(load: Load): Promise<Answered> {
  const { address, paths, seconds, connections } = load
  const script = join(import.meta.dirname, '../node_modules/autocannon/autocannon.js')
  const har = join(tmpdir(), `keepsnap-bench-${randomUUID()}.har`)
  const entries = requestsOf(load).map(({ path, headers }) => ({
    request: {
      method: 'GET',
      url: `${address}${path}`,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    },
  }))
  writeFileSync(har, JSON.stringify({ log: { version: '1.2', creator: { name: 'bench', version: '1' }, entries } }))
  try {
    const args = [script, '-j', '-c', String(connections), '-d', String(seconds), '--har', har, address]
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
