import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'

/** A call to the store, as it arrived. */
export interface S3Call {
  method: string
  /** With its query. */
  path: string
  headers: IncomingMessage['headers']
}

/** What happens to a call instead of passing it on: an answer of the store, no answer, or a cut after some bytes of the answer. */
export type S3Fault = { status: number; code: string } | 'hang' | { cutAfter: number }

/** A way to a store that notes every call and can fail some of them. */
export interface S3Proxy {
  endpoint: string
  calls: S3Call[]
  /** Decides about each call; undefined passes it on. */
  failWhen(decide: (call: S3Call) => S3Fault | undefined): void
  close(): Promise<void>
}

const errorBody = (code: string): string => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`

function passOn(
  upstream: URL,
  incoming: IncomingMessage,
  { outgoing, fault }: { outgoing: ServerResponse; fault: S3Fault | undefined },
): void {
  const { method, url: path, headers } = incoming
  const forwarded = request({ host: upstream.hostname, port: upstream.port, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    if (typeof fault !== 'object' || !('cutAfter' in fault)) return void answer.pipe(outgoing)
    let left = fault.cutAfter
    answer.on('data', (chunk: Buffer) => {
      outgoing.write(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) setImmediate(() => outgoing.destroy())
    })
  })
  forwarded.on('error', () => outgoing.destroy())
  incoming.on('error', () => forwarded.destroy())
  incoming.pipe(forwarded)
}

/** Opens a proxy on loopback. Signatures stay valid: they cover the name under which the client called. */
export async function openS3Proxy(endpoint: string): Promise<S3Proxy> {
  const upstream = new URL(endpoint)
  const calls: S3Call[] = []
  let decide: (call: S3Call) => S3Fault | undefined = () => undefined
  const server = createServer((incoming, outgoing) => {
    const call = { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers }
    calls.push(call)
    const fault = decide(call)
    if (fault === 'hang') return
    if (fault && 'status' in fault) {
      incoming.resume()
      outgoing.writeHead(fault.status, { 'content-type': 'application/xml' }).end(errorBody(fault.code))
      return
    }
    passOn(upstream, incoming, { outgoing, fault })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the proxy does not listen')
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    calls,
    failWhen: (decision) => void (decide = decision),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
