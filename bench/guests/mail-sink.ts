import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A mail server in a process of its own. */
export interface Sink {
  taken(): Promise<{ emails: number; bytes: number }>
  stop(): Promise<void>
}

/** Starts it on a port of loopback. */
export async function openSink(port: number): Promise<Sink> {
  const child = fork(join(import.meta.dirname, 'mail-sink-process.ts'), [String(port)])
  await once(child, 'message')
  return {
    async taken() {
      child.send('count')
      const [counts] = await once(child, 'message')
      return counts as { emails: number; bytes: number } // as sink.ts answers
    },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
