import { createServer, type IncomingMessage, request } from 'node:http'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cleanup } from '../../server/test/child-processes.ts'

export interface UploadCommand {
  /** What it has printed so far, without the time of each line. */
  lines(): string[]
  printed(pattern: RegExp): Promise<void>
  kill(signal: NodeJS.Signals): void
  /** Resolves when it has ended, with its exit code; null after SIGKILL. */
  ended: Promise<number | null>
}

interface UploadCommandOptions {
  url: string
  key: string
  /** Where it remembers what was uploaded; kept between runs. */
  stateDir: string
  /** Another Node, and the file that it runs. */
  program?: [node: string, file: string]
}

const sourceProgram: [string, string] = [process.execPath, join(import.meta.dirname, '../command/keepsnap-upload.ts')]

/** A folder that is removed after the test. */
export async function temporaryFolder(cleanup: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keepsnap-upload-test-'))
  cleanup(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export function startUpload(
  cleanup: Cleanup,
  args: string[],
  { url, key, stateDir, program = sourceProgram }: UploadCommandOptions,
): UploadCommand {
  const [node, file] = program
  const child = spawn(node, [file, ...args], {
    env: { ...process.env, KEEPSNAP_URL: url, KEEPSNAP_API_KEY: key, XDG_STATE_HOME: stateDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)))
  const printed = (pattern: RegExp): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (pattern.test(output)) resolve()
      }
      look()
      child.stdout.on('data', look)
    })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  cleanup(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    lines: () =>
      output
        .trim()
        .split('\n')
        .map((line) => line.replace(/^[\d:]{8} {2}/, '')),
    printed,
    kill: (signal) => void child.kill(signal),
    ended,
  }
}

export async function runUpload(
  cleanup: Cleanup,
  args: string[],
  options: UploadCommandOptions,
): Promise<{ exitCode: number | null; lines: string[] }> {
  const command = startUpload(cleanup, args, options)
  const exitCode = await command.ended
  return { exitCode, lines: command.lines() }
}

/** The network between a client and a server: requests pass through it, and it can fail. */
export interface Network {
  url: string
  /** Called when an upload arrives, before it is passed on. */
  onUpload: () => void
  /** Called when the server has answered an upload, before the client gets the answer. */
  onUploadAnswered: () => void
  /** While false, connections are broken. */
  isUp: boolean
}

export async function openNetwork(cleanup: Cleanup, target: string): Promise<Network> {
  const network: Network = { url: '', onUpload: () => {}, onUploadAnswered: () => {}, isUp: true }
  const server = createServer((req, res) => {
    if (!network.isUp) return void req.socket.destroy()
    const isUpload = req.method === 'POST'
    if (isUpload) network.onUpload()
    const onAnswer = (answer: IncomingMessage): void => {
      if (isUpload) network.onUploadAnswered()
      if (!network.isUp) return void req.socket.destroy()
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    }
    const { host: _, ...headers } = req.headers
    const passed = request(new URL(req.url ?? '', target), { method: req.method, headers }, onAnswer)
    passed.on('error', () => req.socket.destroy())
    req.on('close', () => {
      if (!req.complete) passed.destroy()
    })
    req.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanup(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('not listening')
  network.url = `http://127.0.0.1:${address.port}`
  return network
}
