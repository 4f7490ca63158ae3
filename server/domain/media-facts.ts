import type { Deps } from '../deps.ts'
import { mediaBy, type Media } from './media.ts'

type Column = Parameters<typeof mediaBy>[1]

/** What the policy looks at, remembered for a moment. */
export interface MediaFacts {
  /** The facts behind a public name, as they are now: at most a second old, and never older than a change told by the bus. */
  by(column: Column, value: string): Promise<Media | undefined>
  /** Forgets a photo's facts before the news of its change come round: whoever changes a photo here calls it before answering. */
  forget(photoId: string): void
  /** The same for everything, when an owner's settings change. */
  forgetAll(): void
}

const rememberMs = 1_000
const rememberMost = 4_096
const fields = { id: 'photoId', code: 'code', full_key: 'fullKey', thumb_key: 'thumbKey' } as const

/**
 * Many screens ask for the same picture at the same moment. What was read for one of them serves the others, as long
 * as the bus tells of every change; when it does not listen, everybody's question goes to the database.
 */
export function createMediaFacts({ db, bus }: Pick<Deps, 'db' | 'bus'>): MediaFacts {
  const known = new Map<string, { media: Media; until: number }>()
  const names = new Map<string, string>()
  let changes = 0
  const forgetAll = (): void => {
    changes += 1
    known.clear()
    names.clear()
  }
  const forget = (photoId: string): void => {
    changes += 1
    known.delete(photoId)
  }
  bus.onGap(forgetAll)
  bus.onEvent((event) => {
    if (event.kind === 'photo') forget(event.photo)
    if (event.kind === 'user') forgetAll()
  })

  return {
    forget,
    forgetAll,
    async by(column, value) {
      const name = `${column} ${value}`
      const found = known.get(names.get(name) ?? '')
      // A photo that was made again has new keys; its old ones lead nowhere.
      if (found && found.until > Date.now() && found.media[fields[column]] === value && bus.isListening())
        return found.media
      const before = changes
      const media = await mediaBy(db, column, value)
      // Whatever changed while the question was under way may be missing in the answer.
      if (!media || changes !== before || !bus.isListening()) return media
      if (known.size >= rememberMost || names.size >= 4 * rememberMost) forgetAll()
      known.set(media.photoId, { media, until: Date.now() + rememberMs })
      names.set(name, media.photoId)
      return media
    },
  }
}
