import type { Launcher } from './launch.ts'
import { parseReply, type Reply, type Request } from './protocol.ts'

/** How an image process ended. */
export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
  /** The last it had to say on standard error. */
  words: string
}

/** One image process, from its parent's side. */
export interface ImageProcess {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined
  readonly ended: Promise<Ending>
  send(request: Request): void
  /** Who hears its replies, and of its end, from now on. */
  hear(listener: Listener): void
  kill(): void
}

export interface Listener {
  reply?(reply: Reply): void
  ended?(ending: Ending): void
}

const maxLine = 64 * 1024
const maxWords = 2000

export function startImageProcess(launcher: Launcher, slot: number, dir: string): ImageProcess {
  const child = launcher.start(slot, dir)
  let listener: Listener = {}
  let words = ''
  const kill = (): void => void child.kill('SIGKILL')
  child.stdin?.on('error', () => {})
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (words = (words + chunk).slice(-maxWords)))
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    const replies = lines.map(parseReply)
    // Whoever speaks another language is not ours any more.
    if (rest.length > maxLine || replies.includes(null)) return kill()
    for (const reply of replies) if (reply) listener.reply?.(reply)
  })
  const ended = new Promise<Ending>((resolve) => {
    child.on('error', (error) => resolve({ code: null, signal: null, words: error.message }))
    child.on('close', (code, signal) => resolve({ code, signal, words: words.trim() }))
  })
  void ended.then((ending) => listener.ended?.(ending))
  return {
    pid: child.pid,
    ended,
    send: (request) => void child.stdin?.write(`${JSON.stringify(request)}\n`),
    hear: (next) => void (listener = next),
    kill,
  }
}
