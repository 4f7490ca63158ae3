import { createInterface } from 'node:readline'
import { Refusal } from './decoders.ts'
import type { Reply, Request } from './protocol.ts'
import type { Job, Telling } from './render.ts'

type Render = (job: Job, telling: Telling) => Promise<void>

/** Without /proc the parent cannot see this process grow, so it watches itself. */
const watchEveryMs = 200

/**
 * The life of an image process: says that it is ready, then answers one request after the other, until its parent is
 * gone. Nothing else may write to standard output.
 */
export function answerRequests(render: Render, { selfWatchBytes }: { selfWatchBytes: number | null }): void {
  const tell = (reply: Reply): void => void process.stdout.write(`${JSON.stringify(reply)}\n`)
  // Libraries that chat would break the protocol.
  for (const name of ['log', 'info', 'warn', 'debug'] as const) console[name] = () => {}
  const lines = createInterface({ input: process.stdin })
  // At once, and whatever the threads of libvips are at.
  lines.on('close', () => process.kill(process.pid, 'SIGKILL'))
  lines.on('line', (line) => {
    // Written by our own parent.
    const request = JSON.parse(line) as Request
    void answer(render, request, tell)
  })
  if (selfWatchBytes) {
    setInterval(() => {
      if (process.memoryUsage.rss() > selfWatchBytes) process.exit(memoryExit)
    }, watchEveryMs)
  }
  tell({ tell: 'ready' })
}

/** What a machine says that is full or worn out. */
const machineCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

function causeOf(error: unknown): { machine: boolean; message: string } {
  if (!(error instanceof Error)) return { machine: false, message: String(error) }
  return { machine: 'code' in error && machineCodes.has(String(error.code)), message: error.stack ?? error.message }
}

/** How a process ends that grew too large by its own measure. */
export const memoryExit = 86

async function answer(render: Render, { id, ...job }: Request, tell: (reply: Reply) => void): Promise<void> {
  try {
    await render(job, {
      sized: (megapixels) => tell({ id, tell: 'sized', megapixels }),
      thumbnail: (made) => tell({ id, tell: 'thumbnail', ...made }),
      full: (made) => tell({ id, tell: 'full', ...made }),
      picture: (made) => tell({ id, tell: 'picture', ...made }),
    })
  } catch (error) {
    if (error instanceof Refusal)
      tell({ id, tell: 'refused', code: error.code, why: error.cause instanceof Error ? error.cause.message : '' })
    else tell({ id, tell: 'broken', ...causeOf(error) })
  }
  // The file just read goes now, not when the next one needs the room. A full collection would cost a sixth of a photo.
  globalThis.gc?.({ type: 'minor', execution: 'sync' })
}
