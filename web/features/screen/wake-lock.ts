import { wait } from '../../lib/time.ts'

/** The fallback video: its duration, the time between frames, and its size in pixels. */
const fallbackVideo = { durationMs: 2_000, frameMs: 100, sizePx: 16 }

/**
 * Keeps the screen of this device on until the returned function is called. Over plain HTTP browsers have no wake lock:
 * then a silent video, recorded here, plays in a loop behind the page.
 */
export function keepScreenOn(page: Window): () => void {
  const { document, navigator } = page
  let stopped = false
  let screenLock: WakeLockSentinel | undefined
  let stopVideo: (() => void) | undefined
  const playFallbackVideo = (): void => {
    stopVideo ??= playVideo(document)
  }
  const requestScreenLock = async (): Promise<void> => {
    const { wakeLock } = navigator as Partial<Navigator> // absent over plain HTTP
    if (stopped || document.visibilityState !== 'visible') return
    if (!wakeLock) return playFallbackVideo()
    try {
      screenLock = await wakeLock.request('screen')
      if (stopped) await screenLock.release()
    } catch {
      playFallbackVideo()
    }
  }
  // Browsers release the lock when the page is hidden.
  const onVisibilityChange = (): void => void requestScreenLock()
  document.addEventListener('visibilitychange', onVisibilityChange)
  void requestScreenLock()
  return () => {
    stopped = true
    document.removeEventListener('visibilitychange', onVisibilityChange)
    void screenLock?.release().catch(() => {})
    stopVideo?.()
  }
}

function playVideo(document: Document): () => void {
  const videoElement = document.createElement('video')
  videoElement.className = 'latest__wake-video'
  videoElement.muted = true
  videoElement.loop = true
  videoElement.playsInline = true
  videoElement.tabIndex = -1
  videoElement.setAttribute('aria-hidden', 'true')
  let stopped = false
  const resumeVideo = (): void => {
    if (document.visibilityState === 'visible' && videoElement.src) videoElement.play().catch(() => {})
  }
  const start = async (): Promise<void> => {
    const recordedVideo = await recordVideo(document)
    if (!recordedVideo || stopped) return
    videoElement.src = URL.createObjectURL(recordedVideo)
    document.body.append(videoElement)
    resumeVideo()
  }
  void start()
  document.addEventListener('visibilitychange', resumeVideo)
  return () => {
    stopped = true
    document.removeEventListener('visibilitychange', resumeVideo)
    videoElement.pause()
    videoElement.remove()
    if (videoElement.src) URL.revokeObjectURL(videoElement.src)
  }
}

/** Two seconds of a dark square, recorded from a canvas. Null where the browser cannot record. */
async function recordVideo(document: Document): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = fallbackVideo.sizePx
  canvas.height = fallbackVideo.sizePx
  const context = canvas.getContext('2d')
  if (!context || typeof MediaRecorder === 'undefined' || !('captureStream' in canvas)) return null
  const stream = canvas.captureStream(1000 / fallbackVideo.frameMs)
  try {
    const recorder = new MediaRecorder(stream)
    const videoParts: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => videoParts.push(data))
    const ended = new Promise<void>((resolve) => recorder.addEventListener('stop', () => resolve(), { once: true }))
    recorder.start()
    for (let frame = 0; frame * fallbackVideo.frameMs < fallbackVideo.durationMs; frame++) {
      // A canvas that does not change produces no frames.
      context.fillStyle = frame % 2 === 0 ? 'black' : 'rgb(1 1 1)'
      context.fillRect(0, 0, fallbackVideo.sizePx, fallbackVideo.sizePx)
      await wait(fallbackVideo.frameMs)
    }
    recorder.stop()
    await ended
    return new Blob(videoParts, { type: recorder.mimeType })
  } catch {
    return null
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}
