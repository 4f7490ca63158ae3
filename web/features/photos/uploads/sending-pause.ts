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

/** `onEnd` is called when the time of `pauseFor` is over. */
export function createSendingPause(onEnd: () => void): SendingPause {
  let reachable = true
  let until = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    isActive: () => !reachable || Date.now() < until,
    serverUnreachable() {
      reachable = false
    },
    serverReachable() {
      reachable = true
    },
    pauseFor(ms) {
      until = Math.max(until, Date.now() + ms)
      clearTimeout(timer)
      timer = setTimeout(onEnd, until - Date.now())
    },
    cancel() {
      clearTimeout(timer)
      until = 0
    },
  }
}
