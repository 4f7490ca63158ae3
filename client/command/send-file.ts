import { KeepsnapNetworkError, type Client, type Photo } from '../client.ts'
import type { ContentFile } from './content-file.ts'

/**
 * An upload without progress for this long is aborted: the network has failed without an error. `sending` is longer than the
 * 40 s for which the server lets an upload wait before it reads it or refuses it. In ms.
 */
const stallMs = { sending: 60_000, answering: 90_000 }

/**
 * Sends a file once. Rejects with `KeepsnapError`, `KeepsnapNetworkError`, or the signal's reason. `onProgress` gets whole
 * percents.
 */
export async function sendFile(
  client: Client,
  { name, source }: Pick<ContentFile, 'name' | 'source'>,
  options: { idempotencyKey: string; onProgress: (percent: number) => void; signal: AbortSignal },
): Promise<Photo> {
  const stalled = new AbortController()
  const stall = (): void => stalled.abort(new KeepsnapNetworkError('timeout', 'The upload makes no progress.'))
  let timer = setTimeout(stall, stallMs.sending)
  try {
    return await client.uploadPhoto(source, {
      filename: name,
      idempotencyKey: options.idempotencyKey,
      signal: AbortSignal.any([options.signal, stalled.signal]),
      onProgress(sent, total) {
        clearTimeout(timer)
        timer = setTimeout(stall, sent < total ? stallMs.sending : stallMs.answering)
        options.onProgress(Math.floor((100 * sent) / total))
      },
    })
  } finally {
    clearTimeout(timer)
  }
}
