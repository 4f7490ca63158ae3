import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The same request for some seconds over some connections, path after path. */
export interface RequestLoad {
  address: string
  paths: string[]
  /** GET by default. */
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Each path is requested with each of these tokens; without authorization by default. */
  tokens?: string[]
  /** API keys, in place of tokens. */
  keys?: string[]
  /** Whether responses from 400 on are what is expected. */
  isRefused?: boolean
  seconds: number
  connections: number
}

/** Throws unless wrk is installed. Load generators in JavaScript are slower than the servers that they are to measure. */
export function requireWrk(): void {
  // It prints its version and exits with 1.
  if (spawnSync('wrk', ['--version']).error)
    throw new Error('wrk is needed to generate load; install it first, on Debian with: sudo apt-get install wrk')
}

function runWrk(args: string[]): Promise<string> {
  const wrkProcess = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  wrkProcess.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  return new Promise((resolve, reject) => {
    wrkProcess.on('error', reject)
    wrkProcess.on('close', (code) => (code === 0 ? resolve(text) : reject(new Error(`wrk exited with ${code}`))))
  })
}

/** A string of Lua: every character that is not plain becomes a decimal escape. */
const luaString = (text: string): string =>
  `"${text.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, (character) => `\\${String(character.charCodeAt(0)).padStart(3, '0')}`)}"`

function requestLine(
  { method = 'GET', headers, body }: RequestLoad,
  path: string,
  credential: Record<string, string>,
): string {
  const allHeaders = { ...headers, ...credential }
  const fields = Object.entries(allHeaders).map(
    ([name, value]) => `[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  )
  return `    wrk.format(${JSON.stringify(method)}, ${JSON.stringify(path)}, { ${fields.join(', ')} }, ${body === undefined ? 'nil' : luaString(body)}),`
}

/** Requests each path with each token or key, again and again. */
function luaScript(requestLoad: RequestLoad): string {
  const { paths, tokens = [], keys = [], isRefused = false } = requestLoad
  const credentials: Record<string, string>[] = [
    ...tokens.map((token) => ({ authorization: `Bearer ${token}` })),
    ...keys.map((key) => ({ 'x-api-key': key })),
  ]
  const lines = (credentials.length ? credentials : [{}]).flatMap((credential) =>
    paths.map((path) => requestLine(requestLoad, path, credential)),
  )
  return `
local requests
-- wrk.format needs the host name, which is not set before init.
function init()
  requests = {
${lines.join('\n')}
  }
end
local index = 0
function request()
  index = index % #requests + 1
  return requests[index]
end
function done(summary)
  local failed = ${isRefused ? '' : 'summary.errors.status + '}summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format("\\nRESULT %d %d %d\\n", summary.requests, summary.duration, failed))
end
`
}

/** Sends as many requests as the server can respond to, with wrk. Returns requests per second; rejects if any of them fails. */
export async function measureRate(requestLoad: RequestLoad): Promise<number> {
  const { address, paths, seconds, connections } = requestLoad
  const script = join(tmpdir(), `keepsnap-bench-${randomUUID()}.lua`)
  writeFileSync(script, luaScript(requestLoad))
  try {
    const text = await runWrk(['-t1', '--timeout', '10s', `-c${connections}`, `-d${seconds}s`, '-s', script, address])
    const [, requests = 0, microseconds = 1, failed = 1] = /RESULT (\d+) (\d+) (\d+)/.exec(text)?.map(Number) ?? []
    if (failed > 0) throw new Error(`${failed} requests to ${address}${paths[0]} failed`)
    return requests / (microseconds / 1e6)
  } finally {
    rmSync(script, { force: true })
  }
}
