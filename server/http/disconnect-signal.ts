import type { HttpReply } from './http-types.ts'

/** A signal that aborts when the client has closed the connection. */
export function disconnectSignal({ raw }: HttpReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => controller.abort())
  return controller.signal
}
