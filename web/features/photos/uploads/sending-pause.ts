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

/** `onPauseEnd` is called when the time of `pauseFor` is over. */
export function createSendingPause(onPauseEnd: () => void): SendingPause {
  let isServerReachable = true
  let pausedUntil = 0
  let pauseTimer: ReturnType<typeof setTimeout> | undefined
  return {
    isActive: () => !isServerReachable || Date.now() < pausedUntil,
    serverUnreachable() {
      isServerReachable = false
    },
    serverReachable() {
      isServerReachable = true
    },
    pauseFor(ms) {
      pausedUntil = Math.max(pausedUntil, Date.now() + ms)
      clearTimeout(pauseTimer)
      pauseTimer = setTimeout(onPauseEnd, pausedUntil - Date.now())
    },
    cancel() {
      clearTimeout(pauseTimer)
      pausedUntil = 0
    },
  }
}
