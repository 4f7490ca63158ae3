import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemCode } from './start-problem.ts'

/** Held until `release` or the end of this process, however it ends: the kernel keeps it. */
export interface MachineLock {
  release(): Promise<void>
}

const maxAnswerBytes = 4096
const answerMs = 1_000
const attempts = 20

/** Linux has socket names that are no files and vanish with their process; elsewhere it is a file beside others. */
const addressOf = (name: string): string =>
  process.platform === 'linux' ? `\0keepsnap-${name}` : join(tmpdir(), `keepsnap-${name}.lock`)

async function listen(address: string, answer: () => string): Promise<Server | undefined> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(answer())
  })
  server.maxConnections = 32
  server.unref()
  try {
    await once(server.listen(address), 'listening')
    return server
  } catch (error) {
    if (systemCode(error) === 'EADDRINUSE') return undefined
    throw error
  }
}

/** What the holder says of itself: empty when it does not answer in time, undefined when nobody holds the address. */
async function ask(address: string): Promise<string | undefined> {
  const socket = connect(address)
  socket.setEncoding('utf8').setTimeout(answerMs, () => socket.destroy())
  let text = ''
  try {
    for await (const part of socket) {
      text += part
      if (text.length >= maxAnswerBytes) break
    }
  } catch (error) {
    if (['ECONNREFUSED', 'ENOENT'].includes(systemCode(error))) return undefined
  }
  return text
}

/**
 * Takes a name that only one process of this machine (on Linux: of this network namespace) can have at a time.
 * @param answer what whoever wants the same name is told, at most 4096 bytes
 * @returns the lock, or the answer of the process that has it (empty when that one does not answer)
 */
export async function lockMachine(name: string, answer: () => string): Promise<MachineLock | string> {
  const address = addressOf(name)
  for (let attempt = 0; attempt < attempts; attempt++) {
    const server = await listen(address, answer)
    if (server) return { release: () => new Promise((resolve) => void server.close(() => resolve())) }
    const told = await ask(address)
    if (told !== undefined) return told
    // The holder ended between the two calls, or left the file of its socket behind.
    if (!address.startsWith('\0')) rmSync(address, { force: true })
  }
  return ''
}
