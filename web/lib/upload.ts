import { NetworkFailure } from './answers.ts'

export interface UploadOptions {
  /** Share of the file that has left, 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
  /** The server answers a repeated key with the photo it already made; see `randomId`. */
  idempotencyKey?: string
}
export interface RawAnswer {
  status: number
  text: string
  retryAfter: string | null
}

/** How long an upload may stand still: while it is sent, and while the server stores it. */
const stalledMs = 60_000

/**
 * Posts one file as multipart field `file`. XMLHttpRequest, because fetch tells nothing about what has been sent.
 * Rejects with `NetworkFailure`, or with the signal's reason.
 */
export function sendFile(address: string, file: File, options: UploadOptions & { token: string | null }) {
  const { onProgress, signal, idempotencyKey, token } = options
  return new Promise<RawAnswer>((resolve, reject) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    let watch: ReturnType<typeof setTimeout> | undefined
    const stop = (): void => request.abort()
    const settle = (deed: () => void): void => {
      clearTimeout(watch)
      signal?.removeEventListener('abort', stop)
      deed()
    }
    const moved = (): void => {
      clearTimeout(watch)
      watch = setTimeout(() => {
        settle(() => reject(new NetworkFailure('timeout')))
        request.abort()
      }, stalledMs)
    }
    request.upload.addEventListener('progress', (event) => {
      moved()
      if (event.lengthComputable) onProgress?.(event.loaded / event.total)
    })
    request.addEventListener('load', () => {
      const { status, responseText: text } = request
      settle(() => resolve({ status, text, retryAfter: request.getResponseHeader('retry-after') }))
    })
    request.addEventListener('error', () => settle(() => reject(new NetworkFailure('unreachable'))))
    request.addEventListener('abort', () => settle(() => reject(signal?.reason)))
    signal?.addEventListener('abort', stop)

    request.open('POST', address)
    request.setRequestHeader('accept', 'application/json')
    if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`)
    if (idempotencyKey) request.setRequestHeader('idempotency-key', idempotencyKey)
    const form = new FormData()
    form.append('file', file, file.name)
    moved()
    request.send(form)
  })
}
