import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface ReceivedEmails {
  emails: number
  bytes: number
}

/** An SMTP server in a process of its own that discards what it receives. */
export interface MailSink {
  received(): Promise<ReceivedEmails>
  stop(): Promise<void>
}

/** Starts it on a port of the loopback interface. */
export async function startMailSink(port: number): Promise<MailSink> {
  const child = fork(join(import.meta.dirname, 'mail-sink-process.ts'), [String(port)])
  await once(child, 'message')
  return {
    async received() {
      child.send('count')
      const [counts] = await once(child, 'message')
      return counts as ReceivedEmails // sent by mail-sink-process.ts
    },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
