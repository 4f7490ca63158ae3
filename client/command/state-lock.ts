import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, rename, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { StateError } from './state-file.ts'
import { texts } from './texts.ts'

/** In bytes. macOS takes 103, Linux 107; a socket that was left behind is renamed to a path with 9 more. */
const maxSocketPathBytes = 94

/**
 * Sockets, because the system frees them when their process ends, however it ends. The first is the one of earlier
 * versions; the second, where its path is short enough, also keeps out processes with another TMPDIR.
 */
function socketsOf(stateFile: string): [string, ...string[]] {
  const file = resolve(stateFile)
  const name = `keepsnap-upload-${createHash('sha256').update(file).digest('hex').slice(0, 16)}`
  if (process.platform === 'win32') return [`\\\\.\\pipe\\${name}`]
  const beside = join(dirname(file), `.${createHash('sha256').update(basename(file)).digest('hex').slice(0, 8)}.sock`)
  return [join(tmpdir(), `${name}.sock`), ...(Buffer.byteLength(beside) <= maxSocketPathBytes ? [beside] : [])]
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

/** Undefined if another process uses the path. */
async function lock(path: string): Promise<Server | undefined> {
  const server = await listen(path)
  if (server) return server
  const isFree = !(await isAnswered(path)) && (await removeStaleSocket(path))
  return isFree ? listen(path) : undefined
}

/**
 * Keeps other processes of this machine from using a state file, until this process ends or closes the servers. Throws
 * `StateError` if another one uses it.
 */
export async function lockState(stateFile: string): Promise<Server[]> {
  const [first, ...others] = socketsOf(stateFile)
  const servers: Server[] = []
  const add = (server: Server | undefined): void => {
    if (server) return void servers.push(server)
    for (const each of servers) each.close()
    throw new StateError(texts.stateInUse(stateFile))
  }
  add(await lock(first))
  // A folder that cannot be written is reported when the state is opened.
  await mkdir(dirname(stateFile), { recursive: true }).catch(() => {})
  // Not every file system can have sockets.
  for (const path of others) await lock(path).then(add, () => {})
  return servers
}
