/** The longest pause after answers that the server is not available, unless such an answer asks for a longer one. */
const maxUnavailablePauseMs = 30_000
const minUnavailablePauseMs = 1_000

/** Whether uploads may be sent now: not while the server cannot be reached, nor while it asks to retry later. */
export interface SendingPause {
  isActive(): boolean
  /** The server did not answer: pauses until `serverReachable`. */
  serverUnreachable(): void
  /** The server, or a proxy before it, answered that it is not available: pauses, twice as long after each pause. */
  serverUnavailable(minMs: number): void
  /** From `serverUnavailable` to `serverReachable`. After the pause, one upload shows whether the server is available. */
  isServerUnavailable(): boolean
  serverReachable(): void
  pauseFor(ms: number): void
  /** Ends a pause of a given time. */
  cancel(): void
}

/**
 * Uses `performance.now()`, because the clock of the device can be set back during a pause. `onPauseEnd` is called when the
 * time of a pause is over.
 */
export function createSendingPause(onPauseEnd: () => void): SendingPause {
  let isServerReachable = true
  let pausedUntil = 0
  /** 0: the server is available. */
  let unavailablePauseMs = 0
  let pauseTimer: ReturnType<typeof setTimeout> | undefined
  // The timer ends the pause, because browsers may round `performance.now()` down to a time before the end.
  const endPause = (): void => {
    pausedUntil = 0
    onPauseEnd()
  }
  const pauseFor = (ms: number): void => {
    const now = performance.now()
    pausedUntil = Math.max(pausedUntil, now + ms)
    clearTimeout(pauseTimer)
    pauseTimer = setTimeout(endPause, pausedUntil - now)
  }
  return {
    isActive: () => !isServerReachable || performance.now() < pausedUntil,
    serverUnreachable() {
      isServerReachable = false
    },
    serverUnavailable(minMs) {
      // During a pause, the answer is to an upload that was sent before it.
      const isNewPause = performance.now() >= pausedUntil
      const nextPauseMs = isNewPause ? Math.min(maxUnavailablePauseMs, unavailablePauseMs * 2) : unavailablePauseMs
      unavailablePauseMs = Math.max(minUnavailablePauseMs, nextPauseMs, minMs)
      pauseFor(unavailablePauseMs)
    },
    isServerUnavailable: () => unavailablePauseMs > 0,
    serverReachable() {
      isServerReachable = true
      unavailablePauseMs = 0
    },
    pauseFor,
    cancel() {
      clearTimeout(pauseTimer)
      pausedUntil = 0
    },
  }
}
