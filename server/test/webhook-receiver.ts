import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a receiver got. */
export interface ReceivedWebhook {
  headers: IncomingHttpHeaders
  body: string
  url: string
}

/** A receiver of webhooks on a loopback address. */
export interface WebhookReceiver {
  url: string
  port: number
  received: ReceivedWebhook[]
  /** How it answers from now on: a status, or a function. */
  answer: number | ((response: ServerResponse) => void)
  /** Resolves once it has got this many requests. */
  untilReceived(count: number): Promise<void>
  close(): Promise<void>
}

/** Starts a receiver. It answers 204 unless told otherwise. */
export async function startWebhookReceiver(host = '127.0.0.1', port = 0): Promise<WebhookReceiver> {
  let onReceived: () => void = () => {}
  const listen: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      receiver.received.push({
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        url: request.url ?? '',
      })
      if (typeof receiver.answer === 'number') response.writeHead(receiver.answer).end()
      else receiver.answer(response)
      onReceived()
    })
  }
  const server = createServer(listen)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const { port: usedPort } = server.address() as AddressInfo // it listens on a port
  const receiver: WebhookReceiver = {
    url: `http://${host}:${usedPort}/hook`,
    port: usedPort,
    received: [],
    answer: 204,
    untilReceived: (count) =>
      new Promise((resolve) => {
        onReceived = () => void (receiver.received.length >= count && resolve())
        onReceived()
      }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
