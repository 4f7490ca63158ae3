import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpReply } from './http-types.ts'

/** How an answer learns that its bytes were withdrawn. */
export interface AccessWatch {
  /** Calls the listener when access may have changed, until the returned function is called. */
  watch(listener: () => void): () => void
  /** Whether the bytes may still be sent. */
  isOpen(): Promise<boolean>
}

const retryMs = 1_000

/**
 * Ends an answer under way when its bytes are withdrawn: its connection is reset, so that what waits in this program and its
 * kernel is dropped. Call it before the first byte is sent; it also looks at once, for what changed since access was decided.
 */
export function endWhenWithdrawn({ raw }: Pick<HttpReply, 'raw'>, { watch, isOpen }: AccessWatch): void {
  const ended = new AbortController()
  const check = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      try {
        if ((await isOpen()) || ended.signal.aborted) return
        if (raw.socket instanceof Socket) raw.socket.resetAndDestroy()
        else raw.destroy()
        return
      } catch {
        // The database is away, and what it says next counts.
        await delay(retryMs, undefined, { ref: false })
      }
    }
  }
  const stop = watch(() => void check())
  raw.once('close', () => {
    ended.abort()
    stop()
  })
  void check()
}
