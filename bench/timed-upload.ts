import { Agent, request } from 'node:http'

/** One upload, timed by its client with `performance.now()`. */
export interface TimedUpload {
  /** When the kernel had taken the last byte. */
  lastByteAt: number
  /** When the whole response had arrived. */
  respondedAt: number
  /** The body of the response. */
  body: unknown
}

const boundary = 'keepsnap-bench-boundary'
const head = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="bench.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`,
)
const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/**
 * Uploads one file over a kept-alive connection, as the page does or with an API key; rejects unless the response is 201.
 * The same client for the product and for the baselines.
 */
export function uploadTimed(address: string, file: Buffer, headers: Record<string, string> = {}): Promise<TimedUpload> {
  const path = 'x-api-key' in headers ? '/api/upload' : '/photos/upload'
  return new Promise((resolve, reject) => {
    let lastByteAt = 0
    const outgoing = request(address + path, {
      method: 'POST',
      agent,
      headers: {
        ...headers,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': head.length + file.length + tail.length,
      },
    })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const respondedAt = performance.now()
        const text = Buffer.concat(chunks).toString()
        if (response.statusCode !== 201)
          return reject(new Error(`the response to an upload was ${response.statusCode}: ${text}`))
        // A response that is sent early arrives before the last write has called back.
        resolve({ lastByteAt: Math.min(lastByteAt, respondedAt), respondedAt, body: JSON.parse(text) })
      })
    })
    outgoing.write(head)
    outgoing.write(file)
    outgoing.end(tail, () => (lastByteAt = performance.now()))
  })
}
