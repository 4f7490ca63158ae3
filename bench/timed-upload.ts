import { Agent, request } from 'node:http'

/** One upload as its sender saw it. Times are those of `performance.now()`. */
export interface Sent {
  lastByteAt: number
  answeredAt: number
  body: unknown
}

const boundary = 'keepsnap-bench-boundary'
const head = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="bench.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`,
)
const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** Uploads one file over a kept-alive connection; rejects unless it is answered with 201. The same sender for everybody. */
export function sendPhoto(address: string, file: Buffer, headers: Record<string, string> = {}): Promise<Sent> {
  return new Promise((resolve, reject) => {
    let lastByteAt = 0
    const outgoing = request(`${address}/photos/upload`, {
      method: 'POST',
      agent,
      headers: {
        ...headers,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': head.length + file.length + tail.length,
      },
    })
    outgoing.on('error', reject)
    outgoing.on('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const answeredAt = performance.now()
        const text = Buffer.concat(chunks).toString()
        if (answer.statusCode !== 201) return reject(new Error(`an upload was answered ${answer.statusCode}: ${text}`))
        resolve({ lastByteAt: Math.min(lastByteAt, answeredAt), answeredAt, body: JSON.parse(text) })
      })
    })
    outgoing.write(head)
    outgoing.write(file)
    // Called when the last byte has been given to the kernel.
    outgoing.end(tail, () => (lastByteAt = performance.now()))
  })
}
