import { join } from 'node:path'
import type { Logger } from 'pino'
import { imageFiles, type ImageFileName } from '../protocol.ts'
import type { WatermarkLayout } from '../watermark-layout.ts'
import type { JobInput } from './image-jobs.ts'
import { moveInput, removeFiles, type FileIdentity } from './scratch-files.ts'

/** The files of one job outside the folders of image processes: its input until it starts, its output when it is done. */
export interface JobFiles {
  /** Where the job keeps its own file of a name. */
  pathOf(name: ImageFileName): string
  /** Writes the input, and the logo if there is one; once, however often it is called. */
  write(): Promise<{ watermark: WatermarkLayout | null }>
  /** Moves the input into the folder of a slot, written first if it is not yet. */
  moveInto(slotDir: string): Promise<{ watermark: WatermarkLayout | null; input: FileIdentity }>
  /** Removes whatever is left. Never rejects. */
  remove(): Promise<void>
}

/** Creates the files of a job with a number of its own. Removes them when writing fails. */
export function createJobFiles(
  jobsDir: string,
  { number, input, log }: { number: number; input: JobInput; log: Logger },
): JobFiles {
  const pathOf = (name: ImageFileName): string => join(jobsDir, `${number}-${name}`)
  const remove = (): Promise<void> => removeFiles(Object.values(imageFiles).map(pathOf), log)
  let written: Promise<{ watermark: WatermarkLayout | null }> | undefined
  const writeOnce = async (): Promise<{ watermark: WatermarkLayout | null }> => {
    try {
      await input.writeInput(pathOf(imageFiles.input))
      const { watermark } = input
      const hasLogo = await watermark?.writeLogo(pathOf(imageFiles.logo))
      return { watermark: hasLogo && watermark ? watermark.layout : null }
    } catch (error) {
      await remove()
      throw error
    }
  }
  const write = (): Promise<{ watermark: WatermarkLayout | null }> => (written ??= writeOnce())
  return {
    pathOf,
    write,
    async moveInto(slotDir) {
      const { watermark } = await write()
      if (watermark) await moveInput(pathOf(imageFiles.logo), join(slotDir, imageFiles.logo))
      return { watermark, input: await moveInput(pathOf(imageFiles.input), join(slotDir, imageFiles.input)) }
    },
    remove,
  }
}
