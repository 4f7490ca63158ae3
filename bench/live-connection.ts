import { WebSocket } from 'ws'
import type { ServerMessage } from '@keepsnap/contract/live.ts'

/** When a photo's owner saw what, by `performance.now()`. */
export interface Seen {
  thumbnailAt: number
  completeAt: number
}

/** A user's open page: hears the live channel. */
export interface Screen {
  socket: WebSocket
  /** Resolves when the photo is complete; rejects when it fails. May be asked before or after. */
  complete(photoId: string): Promise<Seen>
  end(): void
}

interface Watched {
  thumbnailAt: number
  seen: Promise<Seen>
  resolve(seen: Seen): void
  reject(why: Error): void
}

/** Opens a connection to the live channel; resolves once it has been greeted and told the newest photo, if there is one. */
export async function openSocket(address: string, token: string, expectPhoto = true): Promise<WebSocket> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws?token=${token}`, { perMessageDeflate: false })
  await new Promise<void>((resolve, reject) => {
    let left = expectPhoto ? 2 : 1
    const hear = (): void => {
      if (--left > 0) return
      socket.off('message', hear)
      resolve()
    }
    socket.on('message', hear).once('error', reject)
  })
  return socket
}

/** Opens the page of a user who has no photo yet. */
export async function openScreen(address: string, token: string): Promise<Screen> {
  const socket = await openSocket(address, token, false)
  const watched = new Map<string, Watched>()
  const watch = (id: string): Watched => {
    const known = watched.get(id)
    if (known) return known
    const { promise: seen, resolve, reject } = Promise.withResolvers<Seen>()
    seen.catch(() => {})
    const fresh: Watched = { thumbnailAt: 0, seen, resolve, reject }
    watched.set(id, fresh)
    return fresh
  }
  socket.on('message', (data: Buffer) => {
    const at = performance.now()
    const message = JSON.parse(data.toString()) as ServerMessage // what the contract says
    if (message.action !== 'photo_update') return
    const { photo } = message
    const one = watch(photo.id)
    if (photo.thumbnail_url !== null) one.thumbnailAt ||= at
    if (photo.processing_complete) one.resolve({ thumbnailAt: one.thumbnailAt, completeAt: at })
    if (photo.processing_failed) one.reject(new Error(photo.error_message ?? 'a photo failed'))
  })
  return { socket, complete: (id) => watch(id).seen, end: () => socket.terminate() }
}
