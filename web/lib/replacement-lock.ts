/** A tab holds it while it replaces the token of the session. */
const lockName = 'token-replacement'

/** Browsers have them on https and on this machine only. */
const locks = () => navigator.locks as LockManager | null | undefined // the type says that they always exist

/** Lets other tabs know until the promise is settled. */
export function announceReplacement(replacement: Promise<unknown>): void {
  const settled = Promise.allSettled([replacement])
  locks()
    ?.request(lockName, { mode: 'shared' }, () => settled)
    .catch(() => {})
}

/** Whether a tab may be replacing the token; true where that cannot be known. */
export async function mayBeReplaced(): Promise<boolean> {
  try {
    const snapshot = await locks()?.query()
    return snapshot === undefined || [snapshot.held, snapshot.pending].flat().some((lock) => lock?.name === lockName)
  } catch {
    return true
  }
}
