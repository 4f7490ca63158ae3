/** Whether uploads may be sent now: not while the server cannot be reached, nor while it asks to retry later. */
export interface SendingPause {
  isActive(): boolean
  /** The server did not answer: pauses until `serverReachable`. */
  serverUnreachable(): void
  serverReachable(): void
  pauseFor(ms: number): void
  /** Ends a pause of `pauseFor`. */
  cancel(): void
}

/**
 * Uses `performance.now()`, because the clock of the device can be set back during a pause. `onPauseEnd` is called when the
 * time of `pauseFor` is over.
 */
export function createSendingPause(onPauseEnd: () => void): SendingPause {
  let isServerReachable = true
  let pausedUntil = 0
  let pauseTimer: ReturnType<typeof setTimeout> | undefined
  // The timer ends the pause, because browsers may round `performance.now()` down to a time before the end.
  const endPause = (): void => {
    pausedUntil = 0
    onPauseEnd()
  }
  return {
    isActive: () => !isServerReachable || performance.now() < pausedUntil,
    serverUnreachable() {
      isServerReachable = false
    },
    serverReachable() {
      isServerReachable = true
    },
    pauseFor(ms) {
      const now = performance.now()
      pausedUntil = Math.max(pausedUntil, now + ms)
      clearTimeout(pauseTimer)
      pauseTimer = setTimeout(endPause, pausedUntil - now)
    },
    cancel() {
      clearTimeout(pauseTimer)
      pausedUntil = 0
    },
  }
}
