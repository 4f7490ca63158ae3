/** The longest pause after answers that the server is not available, unless such an answer asks for a longer one. */
const maxUnavailablePauseMs = 30_000
const minUnavailablePauseMs = 1_000
/** How often one upload shows whether a server answers again that did not. */
const unreachableProbeMs = 30_000

/** Why uploads pause. `rate-limit`: too many were sent; `busy`: other uploads of the account must end first. */
type AskedPauseReason = 'rate-limit' | 'busy'
/** A pause as users are told of it, in milliseconds of `Date.now()`. `endsAt`: null when nobody knows. */
export interface PauseState {
  readonly reason: AskedPauseReason | 'unavailable' | 'unreachable'
  readonly startedAt: number
  readonly endsAt: number | null
}

/** Whether uploads may be sent now: not while the server cannot be reached, nor while it asks to retry later. */
export interface SendingPause {
  isActive(): boolean
  /** The server did not answer: pauses until `serverReachable`, but for one upload now and then. */
  serverUnreachable(): void
  /** From the time of such an upload to `serverUnreachable` or `serverReachable`. */
  isProbing(): boolean
  /** The server, or a proxy before it, answered that it is not available: pauses, twice as long after each pause. */
  serverUnavailable(minMs: number): void
  /** From `serverUnavailable` to `serverReachable`. After the pause, one upload shows whether the server is available. */
  isServerUnavailable(): boolean
  serverReachable(): void
  pauseFor(ms: number, reason: AskedPauseReason): void
  /** Ends a pause of a given time. */
  cancel(): void
}

interface SendingPauseOptions {
  /** The time of a pause is over. */
  onPauseEnd: () => void
  onChange: (pause: PauseState | null) => void
}

/** Uses `performance.now()`, because the clock of the device can be set back during a pause. */
export function createSendingPause({ onPauseEnd, onChange }: SendingPauseOptions): SendingPause {
  let isServerReachable = true
  let isProbing = false
  let pausedUntil = 0
  /** 0: the server is available. */
  let unavailablePauseMs = 0
  let pauseTimer: ReturnType<typeof setTimeout> | undefined
  let probeTimer: ReturnType<typeof setTimeout> | undefined
  let timedPause: PauseState | null = null
  let unreachableSince: number | null = null
  const tell = (): void =>
    onChange(
      unreachableSince === null ? timedPause : { reason: 'unreachable', startedAt: unreachableSince, endsAt: null },
    )
  // The timer ends the pause, because browsers may round `performance.now()` down to a time before the end.
  const endPause = (): void => {
    pausedUntil = 0
    timedPause = null
    tell()
    onPauseEnd()
  }
  const pauseUntil = (ms: number, reason: PauseState['reason']): void => {
    const now = performance.now()
    if (now + ms > pausedUntil) {
      pausedUntil = now + ms
      timedPause = { reason, startedAt: timedPause?.startedAt ?? Date.now(), endsAt: Date.now() + ms }
      tell()
    }
    clearTimeout(pauseTimer)
    pauseTimer = setTimeout(endPause, pausedUntil - now)
  }
  const probe = (): void => {
    isProbing = true
    onPauseEnd()
  }
  return {
    isActive: () => (!isServerReachable && !isProbing) || performance.now() < pausedUntil,
    serverUnreachable() {
      isServerReachable = false
      isProbing = false
      unreachableSince ??= Date.now()
      clearTimeout(probeTimer)
      probeTimer = setTimeout(probe, unreachableProbeMs)
      tell()
    },
    isProbing: () => isProbing,
    serverUnavailable(minMs) {
      // During a pause, the answer is to an upload that was sent before it.
      const isNewPause = performance.now() >= pausedUntil
      const nextPauseMs = isNewPause ? Math.min(maxUnavailablePauseMs, unavailablePauseMs * 2) : unavailablePauseMs
      unavailablePauseMs = Math.max(minUnavailablePauseMs, nextPauseMs, minMs)
      pauseUntil(unavailablePauseMs, 'unavailable')
    },
    isServerUnavailable: () => unavailablePauseMs > 0,
    serverReachable() {
      isServerReachable = true
      isProbing = false
      unavailablePauseMs = 0
      clearTimeout(probeTimer)
      if (unreachableSince === null) return
      unreachableSince = null
      tell()
    },
    pauseFor: pauseUntil,
    cancel() {
      clearTimeout(pauseTimer)
      pausedUntil = 0
      timedPause = null
      tell()
    },
  }
}
