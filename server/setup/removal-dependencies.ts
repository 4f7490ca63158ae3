import type { Dependencies } from '../dependencies.ts'
import type { RemovalDependencies } from '../features/keeping/remove-photos.ts'
import { createClockWatch } from '../features/keeping/removal-guard.ts'
import {
  deleteRemovedPhotos,
  recentRemovals,
  removeOldestPhotos,
  restoreNewestPhotos,
} from '../features/photos/photo-removals.ts'

/** Connects the rules of keeping photos with the photos themselves. Once for each process: it remembers the clock of the last run. */
export const removalDependencies = ({ db, log }: Pick<Dependencies, 'db' | 'log'>): RemovalDependencies => ({
  db,
  log,
  clockWatch: createClockWatch(),
  removePhotos: removeOldestPhotos,
  restorePhotos: restoreNewestPhotos,
  deleteRemovedPhotos,
  recentRemovals,
})
