import { join } from 'node:path'
import { crashed } from './failure.ts'
import type { ImageJob, Made, MadeThumbnail } from './pictures.ts'
import { files, type FileName } from './protocol.ts'
import { takeBack, takeOut, type Identity } from './scratch.ts'
import type { Slot } from './slot.ts'

/** Where a job's own file of a name is. */
export type Own = (name: FileName) => string
/** What a job has laid for its process. */
export interface At {
  own: Own
  marks: boolean
  handed: Identity
}

/** From the file in the slot's folder to both images of a photo, among its own files. */
export async function makePhoto<T>(
  slot: Slot,
  { own, maxMegapixels, marks, handed }: At & { maxMegapixels: number },
  job: ImageJob<T>,
): Promise<Made> {
  let thumbnail: Promise<MadeThumbnail> | undefined
  const take = (name: FileName) => takeOut(join(slot.dir, name), own(name))
  try {
    const made = await slot.run(
      { work: 'photo', maxMegapixels, watermark: marks },
      {
        signal: job.signal,
        thumbnail({ width, height, thumbhash }) {
          thumbnail ??= take(files.thumbnail).then((file) => {
            const its = { ...file, width, height, thumbhash }
            job.onThumbnail?.(its)
            return its
          })
          thumbnail.catch(() => {})
        },
      },
    )
    // A process that skips the thumbnail is not in its right mind.
    if (!thumbnail || made.tell !== 'full') throw crashed()
    const { type, kept, marked, untouched } = made
    const takeWhole = (name: FileName) =>
      untouched ? takeBack(join(slot.dir, files.input), own(name), handed) : take(name)
    const plain = marked ? await takeWhole(files.plain) : null
    const full = { ...(await (marked ? take(files.full) : takeWhole(files.full))), type, kept }
    return { thumbnail: await thumbnail, full, plain }
  } finally {
    await thumbnail?.catch(() => {})
  }
}
