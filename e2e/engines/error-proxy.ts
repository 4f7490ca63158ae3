import { createHash } from 'node:crypto'
import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

const reportPath = '/reported-page-error'

/** Runs before every script of a page: the drivers of these engines do not tell about errors of pages, or not all of them. */
const script = `(() => {
  let isLeaving = false
  addEventListener('beforeunload', () => (isLeaving = true))
  const report = (text) => isLeaving || navigator.sendBeacon('${reportPath}', location.pathname + ': ' + text)
  addEventListener('error', (event) => event.message && report(event.message))
  addEventListener('unhandledrejection', (event) => report(String(event.reason)))
  document.addEventListener('securitypolicyviolation', (event) => report('refused by policy: ' + event.blockedURI))
  const write = console.error
  console.error = (...parts) => { report(parts.map(String).join(' ')); write.apply(console, parts) }
})()`
const scriptHash = `'sha256-${createHash('sha256').update(script).digest('base64')}'`

export interface ErrorProxy {
  port: number
  /** Errors that pages reported, each with its path. */
  errors: string[]
  close(): Promise<void>
}

/** A proxy in front of a program that adds a script to its pages, which reports errors to `errors`. */
export async function startErrorProxy(targetPort: () => number): Promise<ErrorProxy> {
  const errors: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    if (request.url === reportPath) void receiveReport(request, response, errors)
    else forward(request, response, targetPort())
  })
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
    forwardUpgrade({ request, socket, head, port: targetPort() }),
  )
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: portOf(server), errors, close: () => closeServer(server, sockets) }
}

async function receiveReport(request: IncomingMessage, response: ServerResponse, errors: string[]): Promise<void> {
  errors.push(await text(request))
  response.writeHead(204).end()
}

// A server that listens on TCP has such an address.
const portOf = (server: Server): number => (server.address() as AddressInfo).port

async function closeServer(server: Server, sockets: Set<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
}

function forward(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { 'accept-encoding': _, ...headers } = request.headers
  const inner = httpRequest({ host: '127.0.0.1', port, method: request.method, path: request.url, headers })
  inner.on('response', (answer) => {
    if (String(answer.headers['content-type']).startsWith('text/html')) return void sendPage(answer, response)
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  inner.on('error', () => response.destroy())
  request.pipe(inner)
}

async function sendPage(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const { 'content-length': _, 'content-security-policy': policy, ...headers } = answer.headers
  const page = (await text(answer)).replace(/<head[^>]*>/, (head) => `${head}<script>${script}</script>`)
  const changed = String(policy).replace(/script-src /, `script-src ${scriptHash} `)
  response.writeHead(answer.statusCode ?? 502, { ...headers, ...(policy && { 'content-security-policy': changed }) })
  response.end(page)
}

function forwardUpgrade(options: { request: IncomingMessage; socket: Socket; head: Buffer; port: number }): void {
  const { request, socket, head, port } = options
  const inner = connect(port, '127.0.0.1')
  const lines = [`${request.method} ${request.url} HTTP/1.1`]
  for (let i = 0; i < request.rawHeaders.length; i += 2)
    lines.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`)
  inner.write(`${lines.join('\r\n')}\r\n\r\n`)
  inner.write(head)
  inner.pipe(socket).pipe(inner)
  for (const each of [inner, socket]) each.on('error', () => [inner, socket].forEach((end) => end.destroy()))
}
