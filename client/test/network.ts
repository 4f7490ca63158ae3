import { createServer, request, type IncomingMessage } from 'node:http'
import type { Cleanup } from '@keepsnap/server/test/child-processes.ts'

/** The network between a client and a server: requests pass through it, and it can fail. */
export interface Network {
  url: string
  /** Called when an upload arrives, before it is passed on. */
  onUpload: () => void
  /** Called when the server has answered an upload, before the client gets the answer. */
  onUploadAnswered: () => void
  /** While false, connections are broken. */
  isUp: boolean
}

export async function openNetwork(cleanup: Cleanup, target: string): Promise<Network> {
  const network: Network = { url: '', onUpload: () => {}, onUploadAnswered: () => {}, isUp: true }
  const server = createServer((req, res) => {
    if (!network.isUp) return void req.socket.destroy()
    const isUpload = req.method === 'POST'
    if (isUpload) network.onUpload()
    const onAnswer = (answer: IncomingMessage): void => {
      if (isUpload) network.onUploadAnswered()
      if (!network.isUp) return void req.socket.destroy()
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    }
    const { host: _, ...headers } = req.headers
    const passed = request(new URL(req.url ?? '', target), { method: req.method, headers }, onAnswer)
    passed.on('error', () => req.socket.destroy())
    req.on('close', () => {
      if (!req.complete) passed.destroy()
    })
    req.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanup(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('not listening')
  network.url = `http://127.0.0.1:${address.port}`
  return network
}
