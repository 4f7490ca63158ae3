import { repeatedHeader } from '@keepsnap/contract/photos.ts'
import { NetworkError } from './api-errors.ts'

export interface PostFileOptions {
  /** Share of the file that has been sent, 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
  /** The server answers a repeated key with the photo that it has already created; see `randomId`. */
  idempotencyKey?: string
  /** The server answers with a photo that it created before, for the same key. */
  onRepeated?: () => void
  /** The place of the file among those that were chosen together. */
  order?: FileOrder | undefined
  /** The event that the photo goes to, or `none`. */
  event?: string | undefined
}
/** `selection`: an id of the files that were chosen together. `position`: from 0. */
export interface FileOrder {
  selection: string
  position: number
}

/** The longest time without progress: while the file is sent, and while the server stores it. */
const uploadStallTimeoutMs = 60_000

/**
 * Posts one file as multipart field `file`. Uses XMLHttpRequest, because fetch does not report how much has been sent.
 * Rejects with `NetworkError`, or with the signal's reason.
 */
export function postFile(url: string, file: File, options: PostFileOptions & { token: string | null }) {
  const { onProgress, onRepeated, signal, idempotencyKey, token } = options
  return new Promise<{ status: number; text: string; retryAfter: string | null }>((resolve, reject) => {
    signal?.throwIfAborted()
    const uploadRequest = new XMLHttpRequest()
    let uploadStallTimer: ReturnType<typeof setTimeout> | undefined
    const abortUpload = (): void => uploadRequest.abort()
    const finishUpload = (action: () => void): void => {
      clearTimeout(uploadStallTimer)
      signal?.removeEventListener('abort', abortUpload)
      action()
    }
    const restartStallTimer = (): void => {
      clearTimeout(uploadStallTimer)
      uploadStallTimer = setTimeout(() => {
        finishUpload(() => reject(new NetworkError('timeout')))
        uploadRequest.abort()
      }, uploadStallTimeoutMs)
    }
    uploadRequest.upload.addEventListener('progress', (event) => {
      restartStallTimer()
      if (event.lengthComputable) onProgress?.(event.loaded / event.total)
    })
    uploadRequest.addEventListener('load', () => {
      const { status, responseText: text } = uploadRequest
      if (uploadRequest.getResponseHeader(repeatedHeader) === 'true') onRepeated?.()
      finishUpload(() => resolve({ status, text, retryAfter: uploadRequest.getResponseHeader('retry-after') }))
    })
    uploadRequest.addEventListener('error', () => finishUpload(() => reject(new NetworkError('unreachable'))))
    uploadRequest.addEventListener('abort', () => finishUpload(() => reject(signal?.reason)))
    signal?.addEventListener('abort', abortUpload)

    uploadRequest.open('POST', url)
    uploadRequest.setRequestHeader('accept', 'application/json')
    if (token !== null) uploadRequest.setRequestHeader('authorization', `Bearer ${token}`)
    if (idempotencyKey) uploadRequest.setRequestHeader('idempotency-key', idempotencyKey)
    const formData = new FormData()
    formData.append('file', file, file.name)
    restartStallTimer()
    uploadRequest.send(formData)
  })
}
