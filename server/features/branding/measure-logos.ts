import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { presumedContrast } from '../../domain/logo-grounds.ts'
import { ImageFailure } from '../../images/sandbox/image-failure.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import { enqueue } from '../../jobs/queue.ts'
import { publish } from '../../live/bus.ts'
import { recordLogoContrast, unmeasuredLogos, type ContrastColumns } from './queries.ts'

const logosPerRun = 100

/** Enqueues a job for each logo that was uploaded before logos were measured. */
export async function queueLogoMeasurements(db: Db): Promise<void> {
  for (const key of await unmeasuredLogos(db, logosPerRun))
    await enqueue(db, { name: 'measure-logo', payload: { key }, key: `measure:${key}` })
}

/** Measures a stored logo. One that cannot be read gets the values of a dark one, so that it is not tried again. */
export async function measureLogo(
  deps: Pick<Dependencies, 'db' | 'storage' | 'log'> & { images: ImagePool },
  key: string,
): Promise<void> {
  const columns = await contrastOf(deps, key)
  await deps.db.transaction().execute(async (tx) => {
    const userId = await recordLogoContrast(tx, key, columns)
    if (userId !== undefined) await publish(tx, { kind: 'user', user: userId })
  })
}

async function contrastOf(
  { storage, images, log }: Parameters<typeof measureLogo>[0],
  key: string,
): Promise<ContrastColumns> {
  try {
    const job = await images.renderSingle('logo', {
      async writeInput(path) {
        if (!(await storage.linkTo(key, path))) throw new ImageFailure('refused', 'The logo is not in the store.')
      },
    })
    const { lowContrast } = await job.result.finally(job.release)
    return contrastColumns(lowContrast)
  } catch (error) {
    if (!(error instanceof ImageFailure)) throw error
    log.info({ kind: error.kind }, 'a logo could not be measured')
    return contrastColumns(null)
  }
}

/** The columns of a measured logo; the defaults for null. */
export const contrastColumns = (lowContrast: { onPaper: number; onInk: number } | null): ContrastColumns => {
  const { onPaper, onInk } = lowContrast ?? presumedContrast
  return { low_contrast_on_paper: onPaper, low_contrast_on_ink: onInk }
}
