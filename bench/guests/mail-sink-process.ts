/** A mail server that takes every email, reads it to its end and forgets it. Says how many it has taken when asked. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

let emails = 0
let bytes = 0
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  onData(stream, _session, done) {
    stream.on('data', (part: Buffer) => (bytes += part.length))
    stream.on('end', () => {
      emails += 1
      done()
    })
  },
})
server.on('error', () => {})
server.listen(Number(process.argv[2]), '127.0.0.1', () => {
  const { port } = server.server.address() as AddressInfo // it listens on TCP
  process.send?.({ port })
})
process.on('message', () => process.send?.({ emails, bytes }))
process.on('disconnect', () => process.exit(0))
