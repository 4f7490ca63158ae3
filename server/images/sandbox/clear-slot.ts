import type { Logger } from 'pino'
import { emptyFolder } from './scratch-files.ts'
import type { Slot } from './slot.ts'

/** Cleans the folder of a slot for the next job. Never rejects: the files of the last one have been moved out. */
export async function clearSlot(slot: Slot, log: Logger): Promise<void> {
  try {
    await slot.finishRequest()
    await emptyFolder(slot.dir, log)
  } catch (error) {
    log.warn({ err: error }, 'a slot could not be cleared')
  }
}
