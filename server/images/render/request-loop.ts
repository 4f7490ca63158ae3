import { createInterface } from 'node:readline'
import { memoryExitCode, type ImageReply, type ImageRequest } from '../protocol.ts'
import { Refusal } from '../refusal.ts'
import type { RenderProgress, RenderRequest } from './render.ts'

type Render = (request: RenderRequest, progress: RenderProgress) => Promise<void>

/** Without /proc the parent process cannot measure this one, so it measures itself. */
const memoryCheckMs = 200

/**
 * The main loop of an image process: reports that it is ready, then handles one request after the other until its input
 * ends. Nothing else may write to standard output.
 */
export function serveRequests(render: Render, { maxOwnBytes }: { maxOwnBytes: number | null }): void {
  const sendReply = (reply: ImageReply): void => void process.stdout.write(`${JSON.stringify(reply)}\n`)
  // A library that logs to standard output would break the protocol.
  for (const name of ['log', 'info', 'warn', 'debug'] as const) console[name] = () => {}
  const lines = createInterface({ input: process.stdin })
  // SIGKILL does not wait for the threads of libvips.
  lines.on('close', () => process.kill(process.pid, 'SIGKILL'))
  lines.on('line', (line) => {
    // Our own parent process writes these lines.
    const request = JSON.parse(line) as ImageRequest
    void handleRequest(render, request, sendReply)
  })
  if (maxOwnBytes) {
    setInterval(() => {
      if (process.memoryUsage.rss() > maxOwnBytes) process.exit(memoryExitCode)
    }, memoryCheckMs)
  }
  sendReply({ type: 'ready' })
}

/** System errors that a full or failing machine causes. */
const machineFaultCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

function describeError(error: unknown): { machineFault: boolean; message: string } {
  if (!(error instanceof Error)) return { machineFault: false, message: String(error) }
  return {
    machineFault: 'code' in error && machineFaultCodes.has(String(error.code)),
    message: error.stack ?? error.message,
  }
}

async function handleRequest(
  render: Render,
  { id, ...request }: ImageRequest,
  sendReply: (reply: ImageReply) => void,
): Promise<void> {
  try {
    await render(request, {
      onSized: (megapixels, animated = false) => sendReply({ id, type: 'sized', megapixels, animated }),
      onThumbnail: (thumbnail) => sendReply({ id, type: 'thumbnail', ...thumbnail }),
      onFull: (full) => sendReply({ id, type: 'full', ...full }),
      onImage: (image) => sendReply({ id, type: 'image', ...image }),
    })
  } catch (error) {
    if (error instanceof Refusal) sendReply({ id, type: 'refused', code: error.code, reason: reasonOf(error) })
    else sendReply({ id, type: 'failed', ...describeError(error) })
  }
  // Frees the memory of the input file. A full collection would take a sixth of the time of a photo.
  globalThis.gc?.({ type: 'minor', execution: 'sync' })
}

const reasonOf = ({ cause }: Refusal): string => (cause instanceof Error ? cause.message : '')
