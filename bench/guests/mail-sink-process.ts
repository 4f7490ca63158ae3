/** An SMTP server that accepts and discards every email. Each message from the parent process is answered with the counts. */
import { SMTPServer } from 'smtp-server'
import type { ReceivedEmails } from './mail-sink.ts'

const received: ReceivedEmails = { emails: 0, bytes: 0 }
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  onData(stream, _session, done) {
    stream.on('data', (chunk: Buffer) => (received.bytes += chunk.length))
    stream.on('end', () => {
      received.emails += 1
      done()
    })
  },
})
// Clients that disconnect early are part of the measurement.
server.on('error', () => {})
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('listening'))
process.on('message', () => process.send?.(received))
process.on('disconnect', () => process.exit(0))
