import { createServer, type IncomingHttpHeaders } from 'node:http'
import { onTestFinished } from 'vitest'

export interface ReceivedRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** What the server does with a request: an answer, or a connection that breaks, or nothing. */
export type ScriptedAnswer =
  | { status: number; json?: unknown; text?: string; headers?: Record<string, string> }
  | 'break'
  | 'silence'

/** A server on loopback that gives the answers of its script in turn, the last one again and again. */
export async function startScriptedServer(...script: ScriptedAnswer[]) {
  const requests: ReceivedRequest[] = []
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('error', () => {})
    req.on('end', () => {
      const { method = '', url = '', headers } = req
      const answer = script[Math.min(requests.length, script.length - 1)]
      requests.push({ method, url, headers, body: Buffer.concat(chunks) })
      if (answer === 'break') return void req.socket.destroy()
      if (answer === 'silence' || !answer) return
      res.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      res.end(answer.text ?? JSON.stringify(answer.json))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('not listening')
  return { url: `http://127.0.0.1:${address.port}`, requests }
}

/** An error as Keepsnap answers it. */
export const refusal = (status: number, code: string, detail: unknown, retryAfter?: string): ScriptedAnswer => ({
  status,
  json: { code, detail },
  ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
})
