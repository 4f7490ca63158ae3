import { parseReply, type ImageReply, type ImageRequest } from '../protocol.ts'
import type { Launcher } from './launcher.ts'

/** How an image process ended. */
export interface ProcessExit {
  code: number | null
  signal: NodeJS.Signals | null
  /** The end of what it wrote to standard error. */
  stderrTail: string
}

/** Receives the replies of an image process, and its exit. */
export interface ProcessListener {
  onMessage?(reply: ImageReply): void
  onExit?(exit: ProcessExit): void
}

/** One image process, as its parent process sees it. */
export interface ImageProcessHandle {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined
  readonly exited: Promise<ProcessExit>
  send(request: ImageRequest): void
  /** Replaces the listener. */
  setListener(listener: ProcessListener): void
  kill(): void
}

const maxLineChars = 64 * 1024
const maxStderrChars = 2_000

/** Starts an image process. One that sends anything but replies is killed: it may be under an attacker's control. */
export function startImageProcess(launcher: Launcher, slot: number, dir: string): ImageProcessHandle {
  const imageProcess = launcher.start(slot, dir)
  let listener: ProcessListener = {}
  let stderr = ''
  let incompleteLine = ''
  const kill = (): void => void imageProcess.kill('SIGKILL')
  imageProcess.stdin?.on('error', () => {})
  imageProcess.stderr
    ?.setEncoding('utf8')
    .on('data', (chunk: string) => (stderr = (stderr + chunk).slice(-maxStderrChars)))
  imageProcess.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (incompleteLine + chunk).split('\n')
    incompleteLine = lines.pop() ?? ''
    const replies = lines.map(parseReply)
    if (incompleteLine.length > maxLineChars || replies.includes(null)) return kill()
    for (const reply of replies) if (reply) listener.onMessage?.(reply)
  })
  const exited = new Promise<ProcessExit>((resolve) => {
    imageProcess.on('error', (error) => resolve({ code: null, signal: null, stderrTail: error.message }))
    imageProcess.on('close', (code, signal) => resolve({ code, signal, stderrTail: stderr.trim() }))
  })
  void exited.then((exit) => listener.onExit?.(exit))
  return {
    pid: imageProcess.pid,
    exited,
    send: (request) => void imageProcess.stdin?.write(`${JSON.stringify(request)}\n`),
    setListener: (next) => void (listener = next),
    kill,
  }
}
