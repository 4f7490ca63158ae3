import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** GET requests for some seconds over some connections, path after path. */
export interface Load {
  address: string
  paths: string[]
  /** Each path is requested with each of these tokens; without authorization by default. */
  tokens?: string[]
  seconds: number
  connections: number
}

export interface LoadResult {
  perSecond: number
  bytesPerSecond: number
}

const hasWrk = (): boolean => {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' })
    return true
  } catch (error) {
    // wrk prints its version and exits with 1.
    return error instanceof Error && 'status' in error && error.status !== null
  }
}
const tool = hasWrk() ? 'wrk' : 'autocannon'

/** wrk where it is installed, because it needs less CPU time; otherwise the pinned autocannon. */
export const loadTool = (): string => tool

function outputOf(command: string, args: string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(text) : reject(new Error(`${command} exited with ${code}`))))
  })
}

const headersOf = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

/** Each path with each token. */
const requestsOf = ({ paths, tokens = [] }: Pick<Load, 'paths' | 'tokens'>) =>
  (tokens.length ? tokens : [undefined]).flatMap((token) => paths.map((path) => ({ path, headers: headersOf(token) })))

const wrkScript = (load: Load): string => `
local requests
-- wrk.format needs the host name, which is not set before init.
function init()
  requests = {
${requestsOf(load)
  .map(({ path, headers }) => {
    const fields = Object.entries(headers).map(
      ([name, value]) => `[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
    )
    return `    wrk.format("GET", ${JSON.stringify(path)}, { ${fields.join(', ')} }),`
  })
  .join('\n')}
  }
end
local index = 0
function request()
  index = index % #requests + 1
  return requests[index]
end
function done(summary)
  local failed = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format("\\nRESULT %d %d %d %d\\n", summary.requests, summary.bytes, summary.duration, failed))
end
`

async function runWrk(load: Load): Promise<LoadResult> {
  const { address, paths, seconds, connections } = load
  const lua = join(tmpdir(), `keepsnap-bench-${randomUUID()}.lua`)
  writeFileSync(lua, wrkScript(load))
  try {
    const text = await outputOf('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', lua, address])
    const [, requests = 0, bytes = 0, microseconds = 1, failed = 1] =
      /RESULT (\d+) (\d+) (\d+) (\d+)/.exec(text)?.map(Number) ?? []
    if (failed > 0) throw new Error(`${failed} requests to ${address}${paths[0]} failed`)
    return { perSecond: requests / (microseconds / 1e6), bytesPerSecond: bytes / (microseconds / 1e6) }
  } finally {
    rmSync(lua, { force: true })
  }
}

async function runAutocannon(load: Load): Promise<LoadResult> {
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
    const result = JSON.parse(await outputOf(process.execPath, args)) as {
      errors: number
      non2xx: number
      requests: { average: number }
      throughput: { average: number }
    } // autocannon's own report
    if (result.errors + result.non2xx > 0) throw new Error(`requests to ${address}${paths[0]} failed`)
    return { perSecond: result.requests.average, bytesPerSecond: result.throughput.average }
  } finally {
    rmSync(har, { force: true })
  }
}

/** Sends as many requests as the server can respond to. Rejects if any of them fails. */
export const measureLoad = (load: Load): Promise<LoadResult> => (tool === 'wrk' ? runWrk(load) : runAutocannon(load))
