import type { PhotoRow } from '../../domain/photos.ts'
import type { Bus } from '../../live/bus.ts'
import type { PhotoReads } from './photo-reads.ts'

/** A photo whose processing somebody waits for. */
export interface AwaitedPhoto {
  userId: string
  photoId: string
}

/** Returns the photo once its processing has ended, or as it is when the signal is aborted; undefined when it is deleted. */
export type WaitForProcessing = (photo: AwaitedPhoto, until: AbortSignal) => Promise<PhotoRow | undefined>

/** Listens to the event bus: rereads a photo after each event about it, and when events may have been missed. */
export function createProcessingWaits({ bus, photoReads }: { bus: Bus; photoReads: PhotoReads }): WaitForProcessing {
  const listenersByPhoto = new Map<string, Set<() => void>>()
  const notify = (photoId: string): void => {
    for (const listener of listenersByPhoto.get(photoId) ?? []) listener()
  }
  bus.onEvent((event) => event.kind === 'photo' && notify(event.photo))
  bus.onMissedEvents(() => {
    for (const photoId of listenersByPhoto.keys()) notify(photoId)
  })
  const listen = (photoId: string, listener: () => void): (() => void) => {
    const listeners = listenersByPhoto.get(photoId) ?? new Set()
    listenersByPhoto.set(photoId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) listenersByPhoto.delete(photoId)
    }
  }
  return async ({ userId, photoId }, until) => {
    let change = Promise.withResolvers<void>()
    const noteChange = (): void => change.resolve()
    const stopListening = listen(photoId, noteChange)
    until.addEventListener('abort', noteChange)
    try {
      for (;;) {
        const photo = await photoReads.one(userId, photoId)
        if (photo?.state !== 'queued' || until.aborted) return photo
        await change.promise
        // Reset before the next read, so that no change during that read is missed.
        change = Promise.withResolvers()
      }
    } finally {
      stopListening()
      until.removeEventListener('abort', noteChange)
    }
  }
}
