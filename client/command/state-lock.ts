import { createHash, randomBytes } from 'node:crypto'
import { link, rename, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { StateError } from './state-file.ts'
import { texts } from './texts.ts'

/** A socket, because the system frees it when its process ends, however it ends. */
function socketOf(stateFile: string): string {
  const name = `keepsnap-upload-${createHash('sha256').update(resolve(stateFile)).digest('hex').slice(0, 16)}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
}

const listen = (path: string): Promise<Server | undefined> =>
  new Promise((done, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(undefined) : reject(error),
    )
    server.listen(path, () => done(server.unref()))
  })

const isAnswered = (path: string): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })

/**
 * Removes a socket that a killed process left. It is renamed first and checked again: another process may have replaced it
 * with its own since it was found, and that one is put back.
 * @returns whether no other process uses the path
 */
async function removeStaleSocket(path: string): Promise<boolean> {
  const renamed = `${path}-${randomBytes(4).toString('hex')}`
  try {
    await rename(path, renamed)
  } catch {
    return true // Another process has just removed it.
  }
  const isInUse = await isAnswered(renamed)
  if (isInUse) await link(renamed, path).catch(() => {})
  await rm(renamed, { force: true })
  return !isInUse
}

/** Keeps other processes of this machine from using a state file, until this process ends. */
export async function lockState(stateFile: string): Promise<Server> {
  const path = socketOf(stateFile)
  const server = await listen(path)
  if (server) return server
  const isFree = !(await isAnswered(path)) && (await removeStaleSocket(path))
  const second = isFree ? await listen(path) : undefined
  if (!second) throw new StateError(texts.stateInUse(stateFile))
  return second
}
