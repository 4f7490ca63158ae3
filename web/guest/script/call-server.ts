/** Without progress for so long, a connection is lost. */
const stallMs = 60_000

export interface Answer {
  /** The HTTP status; 0 without an answer. */
  status: number
  body: unknown
  /** What the server asks for, in milliseconds; null if it does not. */
  retryAfterMs: number | null
}

interface CallOptions {
  json?: object
  file?: {
    bytes: Blob
    name: string
    key: string
    onProgress(share: number): void
    onStart(call: XMLHttpRequest): void
  }
}

/** Calls the server. XMLHttpRequest, because fetch does not tell how much was sent. */
export function callServer(method: string, path: string, { json, file }: CallOptions = {}): Promise<Answer> {
  return new Promise((resolve) => {
    const call = new XMLHttpRequest()
    let stallTimer = 0
    const restartTimer = (): void => {
      clearTimeout(stallTimer)
      stallTimer = window.setTimeout(() => call.abort(), stallMs)
    }
    const end = (): void => {
      clearTimeout(stallTimer)
      let body: unknown = null
      try {
        body = JSON.parse(call.responseText)
      } catch {}
      const retryAfter = call.status ? call.getResponseHeader('retry-after') : null
      resolve({
        status: call.status,
        body,
        retryAfterMs: retryAfter === null ? null : Number(retryAfter) * 1_000 || 1_000,
      })
    }
    for (const type of ['load', 'error', 'abort']) call.addEventListener(type, end)
    call.upload.addEventListener('progress', ({ loaded, total }) => {
      restartTimer()
      if (file && total) file.onProgress(loaded / total)
    })
    call.open(method, path)
    call.setRequestHeader('accept', 'application/json')
    if (json) call.setRequestHeader('content-type', 'application/json')
    let form: FormData | null = null
    if (file) {
      call.setRequestHeader('idempotency-key', file.key)
      form = new FormData()
      form.append('file', file.bytes, file.name)
      file.onStart(call)
    }
    restartTimer()
    call.send(json ? JSON.stringify(json) : form)
  })
}

/** Browsers report a file that they cannot read in the same way as a lost connection. */
export const isReadable = (file: Blob): Promise<boolean> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(true))
    reader.addEventListener('error', () => resolve(false))
    reader.readAsArrayBuffer(file.slice(0, 1))
  })
