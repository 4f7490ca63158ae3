import { WebSocket } from 'ws'
import type { ServerMessage } from '@keepsnap/contract/live.ts'

/** When the owner of a photo received its updates, by `performance.now()`. */
export interface UpdateTimes {
  /** The first update that names a thumbnail. */
  thumbnailAt: number
  /** The update that says that processing is complete. */
  completeAt: number
}

/** A WebSocket of a user that records the updates of photos. */
export interface LiveConnection {
  socket: WebSocket
  /** Resolves when the photo is complete, also if it already is; rejects when processing failed. */
  waitForCompletion(photoId: string): Promise<UpdateTimes>
  close(): void
}

interface PendingPhoto {
  thumbnailAt: number
  complete: Promise<UpdateTimes>
  resolve(times: UpdateTimes): void
  reject(reason: Error): void
}

/**
 * Opens a WebSocket and waits for the messages that the server sends to every new one: a greeting, and the newest photo
 * if there is one.
 */
export async function openLiveSocket(address: string, token: string, hasPhoto = true): Promise<WebSocket> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws?token=${token}`, { perMessageDeflate: false })
  await new Promise<void>((resolve, reject) => {
    let expected = hasPhoto ? 2 : 1
    const onMessage = (): void => {
      expected -= 1
      if (expected > 0) return
      socket.off('message', onMessage)
      resolve()
    }
    socket.on('message', onMessage).once('error', reject)
  })
  return socket
}

function pendingPhoto(): PendingPhoto {
  const { promise: complete, resolve, reject } = Promise.withResolvers<UpdateTimes>()
  // A failure before anybody waits for this photo must not end the process.
  complete.catch(() => {})
  return { thumbnailAt: 0, complete, resolve, reject }
}

/** Opens a live connection for a user who has no photo yet. */
export async function openLiveConnection(address: string, token: string): Promise<LiveConnection> {
  const socket = await openLiveSocket(address, token, false)
  const photos = new Map<string, PendingPhoto>()
  const pending = (id: string): PendingPhoto => {
    const photo = photos.get(id) ?? pendingPhoto()
    photos.set(id, photo)
    return photo
  }
  socket.on('message', (data: Buffer) => {
    const at = performance.now()
    const message = JSON.parse(data.toString()) as ServerMessage // the contract's message
    if (message.action !== 'photo_update') return
    const { photo } = message
    const update = pending(photo.id)
    if (photo.thumbnail_url !== null) update.thumbnailAt ||= at
    if (photo.processing_complete) update.resolve({ thumbnailAt: update.thumbnailAt, completeAt: at })
    if (photo.processing_failed) update.reject(new Error(photo.error_message ?? 'a photo failed'))
  })
  return { socket, waitForCompletion: (id) => pending(id).complete, close: () => socket.terminate() }
}
