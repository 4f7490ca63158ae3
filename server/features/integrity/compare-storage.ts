import type { Dependencies } from '../../dependencies.ts'
import type { NewJob } from '../../jobs/queue.ts'
import { checkEverything, findingCount, replaceReport, runStep, storeReport } from './check-everything.ts'
import type { IntegrityReport } from './findings.ts'
import { removeUntracked } from './remove-untracked.ts'

const loggedMax = 20
const dayMs = 24 * 60 * 60 * 1000

/** The check that an operator starts. It never runs at the same time as the nightly one. */
export const compareStorageJob: NewJob<'compare-storage'> = {
  name: 'compare-storage',
  payload: { by: 'operator' },
  key: 'compare-storage',
  sequence: 'compare-storage',
}

/** Checks everything, stores the result, and then removes orphaned files and unfinished uploads. */
export async function compareStorage(
  deps: Pick<Dependencies, 'db' | 'storage' | 'log'>,
  by: IntegrityReport['by'] = 'nightly',
): Promise<IntegrityReport> {
  const { db, storage, log } = deps
  const { report, found, files } = await checkEverything({ db, storage, log, by })
  for (const kind of ['missing', 'damaged'] as const)
    if (findingCount(report, kind) > 0)
      log.error(
        { [kind]: findingCount(report, kind), keys: found.namesOf(kind).slice(0, loggedMax) },
        kind === 'missing' ? 'files are not stored' : 'files are damaged',
      )
  const checkedAt = await storeReport(db, report)
  const removed = (await runStep({ log, found }, 'removal of orphaned files', () => removeUntracked(deps, files))) ?? 0
  await runStep({ log, found }, 'removal of unfinished uploads', async () => {
    const aborted = (await storage.removeUnfinished?.(new Date(Date.now() - dayMs))) ?? 0
    if (aborted) log.warn({ aborted }, 'ended uploads to the store that were never finished')
  })
  const findings = found.findings().filter(({ kind }) => kind !== 'untracked' || removed === 0)
  const afterRemovals = { ...report, objects: report.objects - removed, removed, findings }
  await replaceReport(db, checkedAt, afterRemovals)
  return afterRemovals
}
