import { NetworkError } from './api-errors.ts'

export interface UploadOptions {
  /** Share of the file that has been sent, 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
  /** The server answers a repeated key with the photo that it has already created; see `randomId`. */
  idempotencyKey?: string
}
export interface RawResponse {
  status: number
  text: string
  retryAfter: string | null
}

/** The longest time without progress: while the file is sent, and while the server stores it. */
const stallTimeoutMs = 60_000

/**
 * Posts one file as multipart field `file`. Uses XMLHttpRequest, because fetch does not report how much has been sent.
 * Rejects with `NetworkError`, or with the signal's reason.
 */
export function sendFile(url: string, file: File, options: UploadOptions & { token: string | null }) {
  const { onProgress, signal, idempotencyKey, token } = options
  return new Promise<RawResponse>((resolve, reject) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    let stallTimer: ReturnType<typeof setTimeout> | undefined
    const abort = (): void => request.abort()
    const finish = (action: () => void): void => {
      clearTimeout(stallTimer)
      signal?.removeEventListener('abort', abort)
      action()
    }
    const restartStallTimer = (): void => {
      clearTimeout(stallTimer)
      stallTimer = setTimeout(() => {
        finish(() => reject(new NetworkError('timeout')))
        request.abort()
      }, stallTimeoutMs)
    }
    request.upload.addEventListener('progress', (event) => {
      restartStallTimer()
      if (event.lengthComputable) onProgress?.(event.loaded / event.total)
    })
    request.addEventListener('load', () => {
      const { status, responseText: text } = request
      finish(() => resolve({ status, text, retryAfter: request.getResponseHeader('retry-after') }))
    })
    request.addEventListener('error', () => finish(() => reject(new NetworkError('unreachable'))))
    request.addEventListener('abort', () => finish(() => reject(signal?.reason)))
    signal?.addEventListener('abort', abort)

    request.open('POST', url)
    request.setRequestHeader('accept', 'application/json')
    if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`)
    if (idempotencyKey) request.setRequestHeader('idempotency-key', idempotencyKey)
    const form = new FormData()
    form.append('file', file, file.name)
    restartStallTimer()
    request.send(form)
  })
}
