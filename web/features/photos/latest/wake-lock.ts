/** The fallback video: its duration, the time between frames, and its size in pixels. */
const video = { durationMs: 2_000, frameMs: 100, sizePx: 16 }

/**
 * Keeps the screen of this device on until the returned function is called. Over plain HTTP browsers have no wake lock:
 * then a silent video, recorded here, plays in a loop behind the page.
 */
export function keepScreenOn(page: Window): () => void {
  const { document, navigator } = page
  let stopped = false
  let lock: WakeLockSentinel | undefined
  let stopVideo: (() => void) | undefined
  const fallBack = (): void => {
    stopVideo ??= playVideo(document)
  }
  const request = async (): Promise<void> => {
    const { wakeLock } = navigator as Partial<Navigator> // absent over plain HTTP
    if (stopped || document.visibilityState !== 'visible') return
    if (!wakeLock) return fallBack()
    try {
      lock = await wakeLock.request('screen')
      if (stopped) await lock.release()
    } catch {
      fallBack()
    }
  }
  // Browsers release the lock when the page is hidden.
  const onVisibilityChange = (): void => void request()
  document.addEventListener('visibilitychange', onVisibilityChange)
  void request()
  return () => {
    stopped = true
    document.removeEventListener('visibilitychange', onVisibilityChange)
    void lock?.release().catch(() => {})
    stopVideo?.()
  }
}

function playVideo(document: Document): () => void {
  const element = document.createElement('video')
  element.className = 'latest__wake-video'
  element.muted = true
  element.loop = true
  element.playsInline = true
  element.tabIndex = -1
  element.setAttribute('aria-hidden', 'true')
  let stopped = false
  const resume = (): void => {
    if (document.visibilityState === 'visible' && element.src) element.play().catch(() => {})
  }
  const start = async (): Promise<void> => {
    const recorded = await recordVideo(document)
    if (!recorded || stopped) return
    element.src = URL.createObjectURL(recorded)
    document.body.append(element)
    resume()
  }
  void start()
  document.addEventListener('visibilitychange', resume)
  return () => {
    stopped = true
    document.removeEventListener('visibilitychange', resume)
    element.pause()
    element.remove()
    if (element.src) URL.revokeObjectURL(element.src)
  }
}

/** Two seconds of a dark square, recorded from a canvas. Null where the browser cannot record. */
async function recordVideo(document: Document): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = video.sizePx
  canvas.height = video.sizePx
  const context = canvas.getContext('2d')
  if (!context || typeof MediaRecorder === 'undefined' || !('captureStream' in canvas)) return null
  const stream = canvas.captureStream(1000 / video.frameMs)
  try {
    const recorder = new MediaRecorder(stream)
    const parts: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    const ended = new Promise<void>((resolve) => recorder.addEventListener('stop', () => resolve(), { once: true }))
    recorder.start()
    for (let frame = 0; frame * video.frameMs < video.durationMs; frame++) {
      // A canvas that does not change produces no frames.
      context.fillStyle = frame % 2 === 0 ? 'black' : 'rgb(1 1 1)'
      context.fillRect(0, 0, video.sizePx, video.sizePx)
      await new Promise((resolve) => setTimeout(resolve, video.frameMs))
    }
    recorder.stop()
    await ended
    return new Blob(parts, { type: recorder.mimeType })
  } catch {
    return null
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}
