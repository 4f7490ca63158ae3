import { randomId } from './random-id.ts'

/** A file whose bytes are read while they are sent. `stream` is called once for each attempt. A `Blob` is one. */
export interface FileSource {
  /** In bytes: as many as `stream` yields. */
  readonly size: number
  stream(): ReadableStream<Uint8Array>
}

/** A request body with its headers. */
export interface FormBody {
  body: NonNullable<RequestInit['body']>
  headers: Record<string, string>
}

/**
 * A quoted string of a header. Browsers write a quotation mark as %22, which servers do not decode; some servers take
 * what follows a backslash as the name.
 */
const quoteName = (name: string): string => `"${name.replace(/[\r\n\\]/g, '_').replace(/"/g, '\\"')}"`

async function* formParts(head: Uint8Array, file: FileSource, tail: Uint8Array): AsyncGenerator<Uint8Array> {
  yield head
  const reader = file.stream().getReader()
  let bytes = 0
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      bytes += part.value.byteLength
      yield part.value
    }
  } finally {
    reader.cancel().catch(() => {})
  }
  // With less than the announced size the body would be cut off; with more, the rest would be another request.
  if (bytes !== file.size) throw new Error('The file changed while it was sent.')
  yield tail
}

function toStream(parts: AsyncGenerator<Uint8Array>, onBytes: (bytes: number) => void): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await parts.next()
        if (done) return controller.close()
        onBytes(value.byteLength)
        controller.enqueue(value)
      },
      async cancel() {
        await parts.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

/**
 * A form with one file, which is read while it is sent: at most a few parts of it are in memory. `onProgress` gets the bytes
 * of the form that were read so far, of how many. The body is a stream, which Node can send and browsers mostly cannot.
 */
export function streamedForm(
  file: FileSource,
  filename: string,
  onProgress: (sent: number, total: number) => void = () => {},
): FormBody {
  const boundary = `keepsnap-${randomId()}`
  const encoder = new TextEncoder()
  const head = encoder.encode(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename=${quoteName(filename)}\r\ncontent-type: application/octet-stream\r\n\r\n`,
  )
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`)
  const total = head.length + file.size + tail.length
  let sent = 0
  return {
    body: toStream(formParts(head, file, tail), (bytes) => onProgress((sent += bytes), total)),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(total) },
  }
}

/** A form with one file, as browsers send it. */
export function blobForm(file: Blob, filename: string): FormBody {
  const form = new FormData()
  form.append('file', file, filename)
  return { body: form, headers: {} }
}
