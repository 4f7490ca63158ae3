import { join } from 'node:path'
import { imageFiles, type ImageFileName } from '../protocol.ts'
import type { WatermarkLayout } from '../watermark-layout.ts'
import { crashFailure } from './image-failure.ts'
import type { RenderedImage, RenderedPhoto, SingleImageKind, ThumbnailFile } from './image-jobs.ts'
import type { FinalReply } from './run-request.ts'
import { claimOutput, reclaimInput, type FileIdentity } from './scratch-files.ts'
import type { Slot } from './slot.ts'

/** A job whose input is in the folder of its slot. */
export interface StagedJob {
  slot: Slot
  /** Where the job keeps its own file of a name. */
  pathOf(name: ImageFileName): string
  input: FileIdentity
  /** Null without a logo. */
  watermark: WatermarkLayout | null
  maxMegapixels: number
  signal: AbortSignal | undefined
  onCpuMs(ms: number): void
}

const claim = ({ slot, pathOf }: StagedJob, name: ImageFileName) => claimOutput(join(slot.dir, name), pathOf(name))

/** Renders a photo and moves its files out of the slot's folder. `onThumbnail` is called before the full image exists. */
export async function runPhotoJob(
  job: StagedJob,
  onThumbnail: (thumbnail: Promise<ThumbnailFile>) => void,
): Promise<RenderedPhoto> {
  const { slot, watermark, maxMegapixels, signal, onCpuMs } = job
  let thumbnail: Promise<ThumbnailFile> | undefined
  try {
    const reply = await slot.run(
      { work: 'photo', maxMegapixels, watermark },
      {
        signal,
        onCpuMs,
        onThumbnail({ width, height, thumbhash }) {
          if (thumbnail) return
          thumbnail = claim(job, imageFiles.thumbnail).then((file) => ({ ...file, width, height, thumbhash }))
          onThumbnail(thumbnail)
        },
      },
    )
    // A process that skips the thumbnail does not follow the protocol.
    if (!thumbnail || reply.type !== 'full') throw crashFailure()
    return { ...(await claimFullImages(job, reply)), thumbnail: await thumbnail }
  } finally {
    await thumbnail?.catch(() => {})
  }
}

async function claimFullImages(
  job: StagedJob,
  { contentType, lossless, watermarked, inputUnchanged }: Extract<FinalReply, { type: 'full' }>,
): Promise<Omit<RenderedPhoto, 'thumbnail'>> {
  const claimUnmarked = async (name: ImageFileName) => {
    const input = join(job.slot.dir, imageFiles.input)
    const file = await (inputUnchanged ? reclaimInput(input, job.pathOf(name), job.input) : claim(job, name))
    return { ...file, inputUnchanged }
  }
  const claimMarked = async () => ({ ...(await claim(job, imageFiles.full)), inputUnchanged: false })
  const unmarked = watermarked ? await claimUnmarked(imageFiles.unmarked) : null
  const full = await (watermarked ? claimMarked() : claimUnmarked(imageFiles.full))
  return { full: { ...full, contentType, lossless }, unmarked }
}

/** Renders a single image and moves its file out of the slot's folder. */
export async function runSingleImageJob(job: StagedJob, work: SingleImageKind): Promise<RenderedImage> {
  const { slot, watermark, maxMegapixels, signal, onCpuMs } = job
  const reply = await slot.run({ work, maxMegapixels, watermark }, { signal, onCpuMs })
  if (reply.type !== 'image') throw crashFailure()
  const { contentType, width, height, lowContrast } = reply
  return { ...(await claim(job, imageFiles.full)), contentType, width, height, lowContrast }
}
