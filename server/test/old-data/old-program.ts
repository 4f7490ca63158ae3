import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { findEmbeddedPostgres } from '../../postgres/embedded-postgres.ts'

/** One request to the old program. */
export interface OldProgramRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** A path, or a URL that starts with `publicUrl`. */
  url: string
  token?: string
  /** The IP address of the client, for rate limits. */
  from?: string
  headers?: Record<string, string>
  /** JSON, unless it is a form or a stream. */
  body?: object
  signal?: AbortSignal
}

/** The program of an earlier commit, run from a checkout of that commit, on loopback. */
export interface OldProgram {
  dataDir: string
  /** Starts `serve` with these flags and settings, after stopping the process that runs. */
  serve(flags?: string[], env?: Record<string, string>): Promise<void>
  /** Runs an operator command beside it. */
  operate(...words: string[]): Promise<void>
  call(call: OldProgramRequest): Promise<Response>
  /** Runs SQL in its embedded PostgreSQL. */
  query<Row>(text: string): Promise<Row[]>
  stop(): Promise<void>
}

export const publicUrl = 'http://photos.test'
const startMs = 60_000

function initOf({ method = 'GET', token, from = '10.0.0.100', headers, body, signal }: OldProgramRequest): RequestInit {
  const isRaw = body instanceof FormData || body instanceof ReadableStream
  return {
    method,
    redirect: 'manual',
    headers: {
      'x-forwarded-for': from,
      'user-agent': 'a browser',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && !isRaw && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: isRaw ? body : JSON.stringify(body), duplex: 'half' }),
    ...(signal && { signal }),
  }
}

async function untilReady(address: string, child: ChildProcess): Promise<void> {
  for (const end = Date.now() + startMs; Date.now() < end; await delay(50)) {
    if (child.exitCode !== null) throw new Error(`the old program ended with exit code ${child.exitCode}`)
    const answer = await fetch(`${address}/ready`).catch(() => undefined)
    if (answer?.ok) return
  }
  throw new Error('the old program did not become ready')
}

interface Options {
  /** Folder of the earlier commit, in which `npm run build` has been run. */
  checkout: string
  dataDir: string
  port: number
}

export function openOldProgram({ checkout, dataDir, port }: Options): OldProgram {
  const address = `http://127.0.0.1:${port}`
  const node = join(checkout, 'node_modules/.bin/node')
  const start = (words: string[], env: Record<string, string> = {}): ChildProcess =>
    spawn(node, [join(checkout, 'server/main.ts'), ...words], {
      cwd: checkout,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        HOST: '127.0.0.1',
        PORT: String(port),
        PUBLIC_URL: publicUrl,
        TRUSTED_PROXIES: '127.0.0.1',
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        ...env,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  let running: { child: ChildProcess; ended: Promise<unknown> } | undefined
  const stop = async (): Promise<void> => {
    running?.child.kill('SIGTERM')
    await running?.ended
    running = undefined
  }

  return {
    dataDir,
    stop,
    async serve(flags = [], env = {}) {
      await stop()
      const child = start(['serve', ...flags], env)
      running = { child, ended: once(child, 'exit') }
      await untilReady(address, child)
    },
    async operate(...words) {
      const [code] = await once(start(words), 'exit')
      if (code !== 0) throw new Error(`${words.join(' ')} ended with exit code ${String(code)}`)
    },
    call: (call) => fetch(address + call.url.replace(publicUrl, ''), initOf(call)),
    async query(text) {
      const connection = findEmbeddedPostgres(dataDir)
      if (!connection) throw new Error('the old program has no database that runs')
      const client = new Client(connection)
      await client.connect()
      return client
        .query(text)
        .then(({ rows }) => rows)
        .finally(() => client.end())
    },
  }
}
