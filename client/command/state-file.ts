import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createHash, randomBytes } from 'node:crypto'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { texts } from './options.ts'

/** A content that needs no further upload. */
export interface KnownFile {
  /** SHA-256 of the content, in hexadecimal. */
  hash: string
  /** Absolute. Entries of earlier versions have none: only their content tells whether a file is theirs. */
  path?: string
  name: string
  size: number
  /** When the file was changed last, in ms since 1970, by its file system. */
  modified: number
  /** `deleted`: the server has had it, and its photo is deleted there. */
  result: 'uploaded' | 'deleted' | 'refused'
  /** The photo that it became, if it was uploaded. Entries of earlier versions have none. */
  photoId?: string
}

/** An upload that was begun: whether the server has accepted it is not known yet. Times by the server's clock, ISO 8601. */
export interface StartedUpload {
  hash: string
  name: string
  /** When its first attempt began. */
  at: string
  /** When its last attempt began. Entries of earlier versions have none. */
  lastAt?: string
}

interface StateData {
  version: 1
  /** Of which account on which server. */
  account: string
  started: StartedUpload | null
  files: KnownFile[]
}

/** Stores which files were uploaded. What a method has written survives `kill -9` and a power failure when its promise resolves. */
export interface State {
  byHash(hash: string): KnownFile | undefined
  /** The file with this path, size and time: its content need not be read again. */
  byStat(file: Required<FileStat>): KnownFile | undefined
  /** Whether a known file has become this photo. */
  hasPhoto(id: string): boolean
  started(): StartedUpload | null
  /** Replaces the upload that was begun last; null if the server has accepted nothing. */
  start(upload: StartedUpload | null): Promise<void>
  /** Ends the upload of this content, if it was begun. */
  remember(file: KnownFile): Promise<void>
}

/** The state cannot be used; the message says what to do. */
export class StateError extends Error {}

/** Above this, the oldest are forgotten. As many make a file of about 16 MB. */
const maxFiles = 100_000

type FileStat = Pick<KnownFile, 'path' | 'size' | 'modified'>

/** Undefined without a path: a file with the same name, size and time elsewhere can be another photo. */
const statKey = ({ path, size, modified }: FileStat): string | undefined =>
  path === undefined ? undefined : `${size} ${modified} ${path}`
/** Whether an entry of an earlier version is about the same file as this one. */
const isSuperseded = (earlier: KnownFile, { hash, name, size, modified }: KnownFile): boolean =>
  earlier.path === undefined &&
  earlier.hash === hash &&
  earlier.name === name &&
  earlier.size === size &&
  earlier.modified === modified
const reasonOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.message) : String(error)
const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isText = (value: unknown): value is string => typeof value === 'string'
const isOptionalText = (value: unknown): boolean => value === undefined || isText(value)
const isKnownFile = (value: unknown): value is KnownFile =>
  isObject(value) &&
  isText(value['hash']) &&
  isOptionalText(value['path']) &&
  isText(value['name']) &&
  isOptionalText(value['photoId']) &&
  typeof value['size'] === 'number' &&
  typeof value['modified'] === 'number' &&
  ['uploaded', 'deleted', 'refused'].includes(String(value['result']))
const isStarted = (value: unknown): value is StartedUpload =>
  isObject(value) &&
  isText(value['hash']) &&
  isText(value['name']) &&
  isText(value['at']) &&
  isOptionalText(value['lastAt'])
const isState = (value: unknown): value is StateData =>
  isObject(value) &&
  value['version'] === 1 &&
  isText(value['account']) &&
  (value['started'] === null || isStarted(value['started'])) &&
  Array.isArray(value['files']) &&
  value['files'].every(isKnownFile)

async function read(file: string, account: string): Promise<StateData> {
  let data: unknown
  try {
    data = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (isMissing(error)) return { version: 1, account, started: null, files: [] }
    throw new StateError(texts.stateUnreadable(file, reasonOf(error)))
  }
  if (!isState(data)) throw new StateError(texts.stateUnreadable(file, 'unknown form'))
  if (data.account !== account) throw new StateError(texts.stateOfAnother(file))
  return data
}

/** Makes the new name durable. Windows cannot, and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** On Windows a virus scanner may hold the file for a moment. */
async function replace(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to)
    } catch (error) {
      if (process.platform !== 'win32' || attempt === 10) throw error
      await delay(50 * attempt)
    }
  }
}

/** Replaces the file: after a power failure it is either the old or the new one. */
async function write(file: string, data: StateData): Promise<void> {
  const next = `${file}.next`
  try {
    await mkdir(dirname(file), { recursive: true })
    const handle = await open(next, 'w', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify(data)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await replace(next, file)
    await syncFolder(dirname(file))
  } catch (error) {
    throw new StateError(texts.stateUnwritable(file, reasonOf(error)))
  }
}

/** Opens the state of an account; it need not exist yet. One process at a time may use it. */
export async function openState(file: string, account: string): Promise<State> {
  let { started, files } = await read(file, account)
  const hashes = new Map(files.map((each) => [each.hash, each]))
  const stats = new Map(files.map((each) => [statKey(each), each]))
  const photoIds = new Set(files.map(({ photoId }) => photoId))
  const save = (): Promise<void> => write(file, { version: 1, account, started, files })
  // A file that cannot be written is a reason not to begin.
  await save()
  return {
    byHash: (hash) => hashes.get(hash),
    byStat: (one) => stats.get(statKey(one)),
    hasPhoto: (id) => photoIds.has(id),
    started: () => started,
    async start(upload) {
      started = upload
      await save()
    },
    async remember(known) {
      if (started?.hash === known.hash) started = null
      files = [...files.filter((each) => !isSuperseded(each, known)).slice(-(maxFiles - 1)), known]
      photoIds.add(known.photoId)
      hashes.set(known.hash, known)
      stats.set(statKey(known), known)
      await save()
    },
  }
}

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
